/** Short sounds: keys, clicks, knocks, steps, clocks. */
import { whiteNoise } from "../audio/signals.js";
import {
	bandPass,
	type Maker,
	place,
	samplesOf,
	shaped,
	struck,
} from "./shaping.js";

/** Something struck: a little noise that rings. */
function strike(
	random: () => number,
	hz: number,
	q: number,
	decay: number,
): Float32Array {
	const noise = whiteNoise(samplesOf(0.03 + 4 * decay), 0.3, random);
	return shaped(
		bandPass(shaped(noise, struck(0.0005, 0.004)), hz, q),
		struck(0.0005, decay),
	);
}

/** @param gap seconds between two, @param uneven share of it by chance. */
function series(
	seconds: number,
	random: () => number,
	gap: number,
	uneven: number,
	one: (index: number) => Float32Array,
): Float32Array {
	const whole = new Float32Array(samplesOf(seconds));
	let at = 0.05;
	for (let i = 0; at < seconds; i++) {
		place(whole, one(i), at, 0.5 + 0.5 * random());
		at += gap * (1 + uneven * (2 * random() - 1));
	}
	return whole;
}

export const knocks: Readonly<Record<string, Maker>> = {
	keyboard: (seconds, random) =>
		series(seconds, random, 0.13, 0.7, () => {
			const press = strike(random, 1800 + 2500 * random(), 1.5, 0.008);
			const key = new Float32Array(samplesOf(0.15));
			place(key, press, 0);
			place(key, strike(random, 1500 + 1500 * random(), 2, 0.006), 0.08, 0.5);
			return key;
		}),
	"mouse clicks": (seconds, random) =>
		series(seconds, random, 0.45, 0.6, () =>
			strike(random, 3500 + 1000 * random(), 2, 0.003),
		),
	"knocks on a door": (seconds, random) =>
		series(seconds, random, 0.25, 0.2, () =>
			strike(random, 180 + 120 * random(), 3, 0.04),
		),
	"a knock on the table": (seconds, random) =>
		series(seconds, random, seconds, 0, () =>
			strike(random, 120 + 200 * random(), 2, 0.06),
		),
	steps: (seconds, random) =>
		series(seconds, random, 0.55, 0.1, () =>
			strike(random, 300 + 500 * random(), 1, 0.03),
		),
	clock: (seconds, random) =>
		series(seconds, random, 0.5, 0, (i) =>
			strike(random, i % 2 ? 2200 : 2700, 8, 0.01),
		),
	cutlery: (seconds, random) =>
		series(seconds, random, 0.3, 0.9, () =>
			strike(random, 3000 + 3500 * random(), 40, 0.12),
		),
	"a door that slams": (seconds, random) =>
		series(seconds, random, seconds, 0, () =>
			strike(random, 80 + 60 * random(), 1, 0.15),
		),
};
