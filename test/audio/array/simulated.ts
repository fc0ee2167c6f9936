/** Simulated arrays: a plane wave from a direction, with fractional delays, and independent noise at each microphone. */
import { type Geometry, leads } from "../../../runtime/audio/array/geometry.js";

export const rateHz = 16_000;

/** Not that of signals.ts: limits in tests of arrays were measured with these numbers. */
function xorshift(seed: number): () => number {
	let state = (seed * 2654435761) >>> 0 || 1;
	return () => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		state >>>= 0;
		return state / 0x1_0000_0000;
	};
}

/** Speech-like: noise in syllables, low frequencies louder. @returns a function of continuous time, so that any delay is exact. */
export function babble(seed: number, seconds: number): Float32Array {
	const random = xorshift(seed);
	const samples = new Float32Array(seconds * rateHz);
	let low = 0;
	for (let i = 0; i < samples.length; i++) {
		low += 0.35 * (random() * 2 - 1 - low);
		const syllable = Math.max(0, Math.sin((2 * Math.PI * 3 * i) / rateHz));
		samples[i] = 0.5 * low * syllable;
	}
	return samples;
}

export function noise(seed: number, length: number, rms: number): Float32Array {
	const random = xorshift(seed);
	const size = rms * Math.sqrt(3);
	return Float32Array.from({ length }, () => (random() * 2 - 1) * size);
}

/** A long exact sinc: a fractional delay by another method than the one under test. */
function advanced(samples: Float32Array, bySamples: number): Float32Array {
	const reach = 32;
	const whole = Math.floor(bySamples);
	const share = bySamples - whole;
	const out = new Float32Array(samples.length);
	for (let i = 0; i < out.length; i++) {
		let sum = 0;
		for (let n = -reach; n <= reach; n++) {
			const at = i + whole + n;
			if (at < 0 || at >= samples.length) continue;
			const x = Math.PI * (share - n);
			sum +=
				(samples[at] as number) * (Math.abs(x) < 1e-9 ? 1 : Math.sin(x) / x);
		}
		out[i] = sum;
	}
	return out;
}

export function arriving(
	source: Float32Array,
	geometry: Geometry,
	azimuthDeg: number,
): Float32Array[] {
	return Array.from(leads(geometry, azimuthDeg), (lead) =>
		advanced(source, lead * rateHz),
	);
}

export function mixed(
	...layers: readonly (readonly Float32Array[])[]
): Float32Array[] {
	const [first = []] = layers;
	return first.map((samples, m) =>
		samples.map((_, i) =>
			layers.reduce((sum, layer) => sum + (layer[m]?.[i] ?? 0), 0),
		),
	);
}

export function power(samples: Float32Array): number {
	let sum = 0;
	for (const sample of samples) sum += sample * sample;
	return sum / samples.length;
}

/** The angle between two directions, 0 to 180. */
export function apart(a: number, b: number): number {
	return Math.abs(((a - b + 540) % 360) - 180);
}
