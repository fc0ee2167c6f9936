/**
 * Positions of an array's microphones: metres, x to the right, y to the front, z up; azimuth is counted from the x axis towards the y axis, in degrees
 * from 0 to 360, with the axes of the geometry's author.
 *
 * Presets, in the order of the card's channels. The manufacturers publish drawings without coordinates; these are from the ODAS project's configurations
 * for the boards (IntRoLab, Universite de Sherbrooke: config/odaslive, keys mics.mu and mapping.map). Compared value by value in November 2026:
 * - respeaker_4_mic_array.cfg: four on a circle of 40.5 mm, all four channels;
 * - respeaker_usb_4_mic_array.cfg: four on 32 mm, channels 1 to 4 of six (0 is the board's processed signal, 5 its playback);
 * - respeaker_6_mic_array.cfg: six on 46.3 mm, channels 0 to 5 of eight (6 and 7 are its playback);
 * - matrix_creator.cfg: eight on 52.5 mm; matrix_voice.cfg: one in the centre, seven on 38.3 mm.
 * - Seeed 2-Mics Pi HAT: assumed 58 mm apart, the distance commonly given for the board; its documentation states none.
 */
export type Position = readonly [x: number, y: number, z: number];
export type Geometry = readonly Position[];

const flat = (...places: readonly (readonly [number, number])[]): Geometry =>
	places.map(([x, y]) => [x, y, 0]);

const presets = {
	"respeaker-4": flat([-0.0405, 0], [0, 0.0405], [0.0405, 0], [0, -0.0405]),
	"respeaker-usb-4": flat([-0.032, 0], [0, -0.032], [0.032, 0], [0, 0.032]),
	"respeaker-6": flat(
		[-0.0232, 0.0401],
		[-0.0463, 0],
		[-0.0232, -0.0401],
		[0.0232, -0.0401],
		[0.0463, 0],
		[0.0232, 0.0401],
	),
	"seeed-2": flat([-0.029, 0], [0.029, 0]),
	"matrix-creator": flat(
		[0.020091, -0.048504],
		[-0.020091, -0.048504],
		[-0.048504, -0.020091],
		[-0.048504, 0.020091],
		[-0.020091, 0.048504],
		[0.020091, 0.048504],
		[0.048504, 0.020091],
		[0.048504, -0.020091],
	),
	"matrix-voice": flat(
		[0, 0],
		[-0.038133, 0.003576],
		[-0.02098, 0.032043],
		[0.011971, 0.036381],
		[0.035908, 0.013323],
		[0.032805, -0.019767],
		[0.004999, -0.037972],
		[-0.026571, -0.027584],
	),
} as const satisfies Record<string, Geometry>;

export type ArrayName = keyof typeof presets;

export const arrayNames = Object.keys(presets) as readonly ArrayName[];

export function arrayGeometry(name: ArrayName): Geometry {
	return presets[name];
}

/** Dry air at 20 degrees. */
const soundMetresPerSecond = 343;

/** Microphones closer than this have practically the same signal. */
const apartMin = 0.005;
/** Larger distances are probably not in metres. */
const sizeMax = 2;

/** A message about what is wrong with the geometry; undefined if it is valid. */
export function geometryFault(geometry: Geometry): string | undefined {
	if (geometry.length < 2)
		return "an array has at least two microphones; omit geometry for one";
	if (geometry.some((it) => it.length !== 3 || !it.every(Number.isFinite)))
		return "each microphone must be [x, y, z] in metres";
	for (let a = 0; a < geometry.length; a++)
		for (let b = 0; b < a; b++) {
			const apart = distance(geometry[a] as Position, geometry[b] as Position);
			if (apart < apartMin)
				return `microphones ${b} and ${a} are at the same place`;
			if (apart > sizeMax)
				return `microphones ${b} and ${a} are ${apart.toFixed(1)} m apart; coordinates are metres`;
		}
	return undefined;
}

/** Seconds by which a plane wave from a horizontal direction reaches each microphone earlier than the array's centre; later ones are negative. */
export function leads(geometry: Geometry, azimuthDeg: number): Float64Array {
	const angle = (azimuthDeg * Math.PI) / 180;
	const x = Math.cos(angle);
	const y = Math.sin(angle);
	const centre = centreOf(geometry);
	return Float64Array.from(
		geometry,
		(it) =>
			((it[0] - centre[0]) * x + (it[1] - centre[1]) * y) /
			soundMetresPerSecond,
	);
}

/**
 * The azimuth of the line through all microphones; undefined if the array is not linear. A linear array cannot distinguish the two sides of its line:
 * sound is assumed to come from the line's left.
 */
export function lineAzimuthDeg(geometry: Geometry): number | undefined {
	const [cx, cy] = centreOf(geometry);
	let xx = 0;
	let yy = 0;
	let xy = 0;
	for (const [x, y] of geometry) {
		xx += (x - cx) ** 2;
		yy += (y - cy) ** 2;
		xy += (x - cx) * (y - cy);
	}
	const spread = xx + yy;
	const across =
		spread / 2 -
		Math.sqrt(((xx - yy) / 2) ** 2 + xy ** 2); /* smaller variance */
	if (across > lineTolerance * spread) return undefined;
	return (Math.atan2(2 * xy, xx - yy) / 2) * (180 / Math.PI);
}

const lineTolerance = 1e-3;

function centreOf(geometry: Geometry): Position {
	const sum = [0, 0, 0];
	for (const place of geometry)
		for (let axis = 0; axis < 3; axis++)
			sum[axis] = (sum[axis] as number) + (place[axis] as number);
	const [x = 0, y = 0, z = 0] = sum.map((it) => it / geometry.length);
	return [x, y, z];
}

function distance(a: Position, b: Position): number {
	return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
