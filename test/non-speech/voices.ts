/** Voices that say nothing: laughter, hummed tunes, crying, and many who talk at once. */
import { readWav } from "../whisper/packages.js";
import {
	bandPass,
	harmonics,
	type Maker,
	place,
	samplesOf,
	shaped,
	struck,
	swelling,
} from "./shaping.js";

/** A voiced sound through the resonances of a mouth. */
function vowel(
	seconds: number,
	hz: (seconds: number) => number,
	formants: readonly number[],
): Float32Array {
	const source = harmonics(seconds, hz, 40, 0.92);
	const out = new Float32Array(source.length);
	formants.forEach((formant, i) => {
		place(out, bandPass(source, formant, 6), 0, 1 / (1 + i));
	});
	return out;
}

/** @param each seconds between two calls. */
function calls(
	seconds: number,
	each: number,
	one: (index: number) => Float32Array,
): Float32Array {
	const whole = new Float32Array(samplesOf(seconds));
	for (let at = 0, i = 0; at < seconds; at += each, i++)
		place(whole, one(i), at);
	return whole;
}

const clips = [
	"en-librivox-0870",
	"en-librivox-0890",
	"en-librivox-0920",
	"en-librivox-0930",
	"ja-kokoro-meeting",
	"ja-kokoro-station",
	"ja-kokoro-weather",
].map((it) => `test/clips/${it}.wav`);

/** Talkers from anywhere in their clips, backwards or not. */
function crowd(
	seconds: number,
	random: () => number,
	talkers: number,
	isBackwards: boolean,
): Float32Array {
	const whole = new Float32Array(samplesOf(seconds));
	for (let i = 0; i < talkers; i++) {
		const clip = readWav(clips[Math.floor(random() * clips.length)] as string);
		const from = Math.floor(random() * clip.length);
		const turned = new Float32Array(whole.length);
		for (let k = 0; k < turned.length; k++) {
			const at = (from + k) % clip.length;
			turned[k] = clip[isBackwards ? clip.length - 1 - at : at] as number;
		}
		place(whole, turned, 0, 0.5 + 0.5 * random());
	}
	return whole;
}

export const voices: Readonly<Record<string, Maker>> = {
	laughter: (seconds, random) => {
		const from = 180 + 180 * random();
		const each = 0.17 + 0.06 * random();
		return calls(seconds, each, (i) => {
			const pitch = from * (1 - 0.05 * (i % 7));
			const ha = vowel(
				each * 0.6,
				(s) => pitch * (1 - 0.8 * s),
				[800, 1300, 2600],
			);
			return shaped(ha, struck(0.02, 0.05));
		});
	},
	giggles: (seconds, random) => {
		const from = 350 + 150 * random();
		return calls(seconds, 0.12, (i) =>
			i % 8 > 5
				? new Float32Array(1)
				: shaped(
						vowel(0.08, () => from * (1 + 0.03 * (i % 5)), [350, 2300, 3000]),
						struck(0.01, 0.03),
					),
		);
	},
	"a hummed tune": (seconds, random) => {
		const from = 120 + 120 * random();
		const steps = [0, 2, 4, 5, 7, 5, 4, 2];
		return vowel(
			seconds,
			(s) => {
				const step = steps[Math.floor(s / 0.45) % steps.length] as number;
				return from * 2 ** (step / 12);
			},
			[260, 1100],
		);
	},
	"a baby cries": (seconds, random) => {
		const from = 400 + 100 * random();
		return calls(seconds, 0.9, () =>
			shaped(
				vowel(
					0.7,
					(s) => from * (1 + 0.4 * Math.sin(Math.PI * (s / 0.7))),
					[1100, 1700, 3300],
				),
				swelling(1 / 0.7),
			),
		);
	},
	"a dog barks": (seconds, random) => {
		const from = 250 + 250 * random();
		return calls(seconds, 0.45 + 0.3 * random(), () =>
			shaped(
				vowel(0.16, (s) => from * (1.3 - 2 * s), [600, 1200, 2100]),
				struck(0.01, 0.05),
			),
		);
	},
	"a groan": (seconds, random) => {
		const from = 90 + 40 * random();
		return shaped(
			vowel(seconds, (s) => from * (1 - 0.1 * s), [450, 900, 2300]),
			swelling(1 / seconds),
		);
	},
	"eight who talk backwards": (seconds, random) =>
		crowd(seconds, random, 8, true),
	"sixteen who talk at once": (seconds, random) =>
		crowd(seconds, random, 16, false),
	"thirty who talk backwards": (seconds, random) =>
		crowd(seconds, random, 30, true),
};
