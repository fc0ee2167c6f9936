/** Noise of rooms, machines, weather and bodies without a voice. */
import { pinkNoise, whiteNoise } from "../audio/signals.js";
import {
	bandPass,
	lowPass,
	type Maker,
	place,
	samplesOf,
	shaped,
	struck,
	swelling,
} from "./shaping.js";

/** Slow and irregular: gusts. */
function gusts(random: () => number) {
	const waves = Array.from({ length: 4 }, (_, i) => ({
		hz: 0.2 + 0.5 * i * random(),
		phase: 2 * Math.PI * random(),
	}));
	return (seconds: number) => {
		let sum = 0;
		for (const { hz, phase } of waves)
			sum += Math.sin(2 * Math.PI * hz * seconds + phase);
		return 0.15 + ((sum + 4) / 8) ** 2;
	};
}

function many(
	seconds: number,
	perSecond: number,
	random: () => number,
	one: () => Float32Array,
): Float32Array {
	const whole = new Float32Array(samplesOf(seconds));
	const count = Math.round(seconds * perSecond);
	for (let i = 0; i < count; i++)
		place(whole, one(), random() * seconds, 0.3 + 0.7 * random());
	return whole;
}

const white = (seconds: number, random: () => number) =>
	whiteNoise(samplesOf(seconds), 0.2, random);
const pink = (seconds: number, random: () => number) =>
	pinkNoise(samplesOf(seconds), 0.2, random);

export const noises: Readonly<Record<string, Maker>> = {
	"white noise": white,
	"pink noise": pink,
	"brown noise": (seconds, random) => lowPass(white(seconds, random), 40),
	"noise in bursts": (seconds, random) =>
		shaped(pink(seconds, random), (s) => (s % 0.5 < 0.2 ? 1 : 0.05)),
	wind: (seconds, random) => {
		const low = lowPass(white(seconds, random), 300);
		const whistle = bandPass(white(seconds, random), 500 + 400 * random(), 8);
		const gust = gusts(random);
		return shaped(
			low.map((it, i) => it + 0.6 * (whistle[i] as number)),
			gust,
		);
	},
	rain: (seconds, random) =>
		many(seconds, 400, random, () =>
			shaped(white(0.02, random), struck(0.001, 0.004)),
		),
	fan: (seconds, random) => {
		const turns = 12 + 10 * random();
		return shaped(lowPass(white(seconds, random), 800), swelling(turns, 0.5));
	},
	breathing: (seconds, random) => {
		const air = pink(seconds, random);
		const mouth = bandPass(air, 1200 + 800 * random(), 1.2);
		const nose = bandPass(air, 400 + 200 * random(), 1);
		const hz = 0.4 + 0.5 * random();
		return shaped(mouth, (s) => swelling(hz)(s) ** 2).map(
			(it, i) => it + 0.5 * (nose[i] as number) * swelling(hz)(i / 16_000 + 1),
		);
	},
	sniffs: (seconds, random) =>
		many(seconds, 1.5, random, () =>
			shaped(
				bandPass(white(0.25, random), 2500 + 1500 * random(), 1),
				swelling(4),
			),
		),
	cough: (seconds, random) =>
		many(seconds, 1.2, random, () => {
			const burst = bandPass(white(0.3, random), 700 + 500 * random(), 1.5);
			return shaped(burst, struck(0.01, 0.07));
		}),
	applause: (seconds, random) =>
		many(seconds, 60, random, () =>
			shaped(
				bandPass(white(0.06, random), 900 + 1500 * random(), 1.5),
				struck(0.001, 0.01),
			),
		),
	paper: (seconds, random) =>
		many(seconds, 25, random, () =>
			shaped(
				bandPass(white(0.09, random), 3000 + 3000 * random(), 0.8),
				struck(0.01, 0.02),
			),
		),
	"running water": (seconds, random) => {
		const bubbles = many(seconds, 30, random, () =>
			shaped(
				bandPass(white(0.08, random), 500 + 1500 * random(), 12),
				struck(0.005, 0.02),
			),
		);
		const hiss = white(seconds, random);
		return bubbles.map((it, i) => it + 0.15 * (hiss[i] as number));
	},
	street: (seconds, random) => {
		const engines = lowPass(white(seconds, random), 120);
		const tyres = bandPass(white(seconds, random), 900, 0.7);
		const passing = gusts(random);
		return shaped(
			engines.map((it, i) => 3 * it + 0.3 * (tyres[i] as number)),
			passing,
		);
	},
};
