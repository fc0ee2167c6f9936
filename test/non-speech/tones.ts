/** Machines that sing: hum, signals, telephones; and music without a voice. */
import {
	harmonics,
	type Maker,
	place,
	samplesOf,
	shaped,
	struck,
	swelling,
} from "./shaping.js";

const semitone = 2 ** (1 / 12);
const scale = [0, 2, 4, 7, 9, 12, 14, 16];

function note(
	seconds: number,
	hz: number,
	gain: (seconds: number) => number,
	count = 6,
	tilt = 0.5,
): Float32Array {
	return shaped(
		harmonics(seconds, () => hz, count, tilt),
		gain,
	);
}

function melody(
	seconds: number,
	random: () => number,
	noteSeconds: number,
	play: (hz: number) => Float32Array,
): Float32Array {
	const whole = new Float32Array(samplesOf(seconds));
	const root = 180 + 150 * random();
	for (let at = 0; at < seconds; at += noteSeconds) {
		const step = scale[Math.floor(random() * scale.length)] as number;
		place(whole, play(root * semitone ** step), at);
	}
	return whole;
}

function chord(seconds: number, root: number, gain: (s: number) => number) {
	const whole = new Float32Array(samplesOf(seconds));
	for (const step of [0, 4, 7, 12])
		place(whole, note(seconds, root * semitone ** step, gain), 0, 0.3);
	return whole;
}

const phoneRows = [697, 770, 852, 941];
const phoneColumns = [1209, 1336, 1477];

export const tones: Readonly<Record<string, Maker>> = {
	"mains hum": (seconds, random) => {
		const hz = random() < 0.5 ? 50 : 60;
		return harmonics(seconds, () => hz, 20, 0.75);
	},
	transformer: (seconds, random) => {
		const hz = 95 + 10 * random();
		return shaped(
			harmonics(seconds, () => hz, 12, 0.8),
			swelling(0.7, 0.6),
		);
	},
	beeps: (seconds, random) => {
		const hz = 700 + 1500 * random();
		return shaped(
			harmonics(seconds, () => hz, 1, 1),
			(s) => (s % 0.6 < 0.2 ? 1 : 0),
		);
	},
	dialling: (seconds, random) => {
		const whole = new Float32Array(samplesOf(seconds));
		for (let at = 0; at < seconds; at += 0.2)
			for (const row of [phoneRows, phoneColumns]) {
				const hz = row[Math.floor(random() * row.length)] as number;
				place(
					whole,
					harmonics(0.12, () => hz, 1, 1),
					at,
				);
			}
		return whole;
	},
	"ringing tone": (seconds) =>
		shaped(
			harmonics(seconds, () => 425, 1, 1),
			(s) => (s % 1.5 < 0.8 ? 1 : 0),
		),
	siren: (seconds, random) => {
		const hz = 0.3 + 2 * random();
		return harmonics(seconds, (s) => 500 + 700 * swelling(hz)(s), 4, 0.4);
	},
	horn: (seconds, random) => {
		const hz = 300 + 150 * random();
		return shaped(
			harmonics(seconds, () => hz, 12, 0.85),
			(s) => (s % 0.9 < 0.5 ? 1 : 0),
		);
	},
	"engine that starts": (seconds, random) => {
		const from = 25 + 20 * random();
		return harmonics(seconds, (s) => from + (60 * s) / seconds, 30, 0.88);
	},
	drill: (seconds, random) => {
		const hz = 150 + 100 * random();
		return harmonics(
			seconds,
			(s) => hz * (1 + 0.02 * Math.sin(40 * s)),
			40,
			0.95,
		);
	},
	piano: (seconds, random) =>
		melody(seconds, random, 0.25 + 0.2 * random(), (hz) =>
			note(1.2, hz, struck(0.004, 0.3)),
		),
	flute: (seconds, random) =>
		melody(seconds, random, 0.4, (hz) =>
			shaped(
				harmonics(
					0.4,
					(s) => 2 * hz * (1 + 0.008 * Math.sin(2 * Math.PI * 5 * s)),
					3,
					0.2,
				),
				(s) => Math.min(1, s / 0.06, (0.4 - s) / 0.06),
			),
		),
	violin: (seconds, random) =>
		melody(seconds, random, 0.6, (hz) =>
			shaped(
				harmonics(
					0.6,
					(s) => hz * (1 + 0.01 * Math.sin(2 * Math.PI * 6 * s)),
					20,
					0.8,
				),
				(s) => Math.min(1, s / 0.1, (0.6 - s) / 0.1),
			),
		),
	organ: (seconds, random) => chord(seconds, 150 + 120 * random(), () => 1),
	chords: (seconds, random) => {
		const whole = new Float32Array(samplesOf(seconds));
		for (let at = 0; at < seconds; at += 0.7)
			place(whole, chord(0.9, 120 + 160 * random(), struck(0.01, 0.35)), at);
		return whole;
	},
	"bass and drum": (seconds, random) => {
		const whole = melody(seconds, random, 0.25, (hz) =>
			note(0.4, hz / 4, struck(0.005, 0.12), 8, 0.6),
		);
		for (let at = 0; at < seconds; at += 0.5)
			place(
				whole,
				shaped(
					harmonics(0.3, (s) => 120 * Math.exp(-12 * s) + 45, 1, 1),
					struck(0.002, 0.08),
				),
				at,
				2,
			);
		return whole;
	},
	bell: (seconds, random) => {
		const root = 400 + 500 * random();
		const whole = new Float32Array(samplesOf(seconds));
		for (const [times, gain] of [
			[1, 1],
			[2.01, 0.6],
			[2.99, 0.4],
			[4.17, 0.25],
			[5.43, 0.2],
		] as const)
			place(whole, note(seconds, root * times, struck(0.002, 0.6), 1), 0, gain);
		return whole;
	},
	birds: (seconds, random) => {
		const whole = new Float32Array(samplesOf(seconds));
		for (let at = 0; at < seconds; at += 0.15 + 0.4 * random()) {
			const from = 2500 + 2500 * random();
			const rise = (random() - 0.5) * 20_000;
			place(
				whole,
				shaped(
					harmonics(0.1, (s) => from + rise * s, 2, 0.2),
					swelling(10),
				),
				at,
			);
		}
		return whole;
	},
	crickets: (seconds, random) => {
		const hz = 4000 + 800 * random();
		return shaped(
			harmonics(seconds, () => hz, 1, 1),
			(s) => swelling(28)(s) * (s % 0.8 < 0.4 ? 1 : 0),
		);
	},
};
