/** Frames of samples in pieces of any length, and the transform compared with its definition. */
import assert from "node:assert/strict";
import { LogMel } from "../../runtime/features/log-mel.js";
import { RealFft } from "../../runtime/features/real-fft.js";
import { cutAt, someLengths } from "../audio/cuts.js";
import type { Property } from "../fuzz/property.js";
import { pick, type Random, randomOf } from "../fuzz/random.js";

const samples = signal(randomOf(1), 7_013);
const whole = framesOf([samples]);

export const splitsMakeNoDifference = (): Property<readonly number[]> => ({
	name: "features/log-mel",
	promise: "any split of the samples gives the same frames",
	draw: (random) =>
		someLengths(random, samples.length, pick(random, [8_000, 2_000, 1])),
	check(lengths) {
		assert.deepEqual(framesOf(cutAt(samples, lengths)), whole);
	},
});

export const transformIsAsDefined = (): Property<Float64Array> => ({
	name: "features/fft",
	promise: "the FFT of 400 and of 512 samples agrees with the definition",
	draw: (random) =>
		Float64Array.from(
			{ length: pick(random, [400, 512]) },
			() => random() - 0.5,
		),
	check(samples) {
		const { length } = samples;
		const power = new Float64Array(length / 2 + 1);
		const fft = new RealFft(length as 400 | 512);
		fft.re.set(samples.filter((_, n) => n % 2 === 0));
		fft.im.set(samples.filter((_, n) => n % 2 === 1));
		fft.power(power);
		for (let k = 0; k <= length / 2; k++) {
			let re = 0;
			let im = 0;
			samples.forEach((sample, n) => {
				re += sample * Math.cos((2 * Math.PI * k * n) / length);
				im -= sample * Math.sin((2 * Math.PI * k * n) / length);
			});
			const difference = Math.abs((power[k] as number) - (re * re + im * im));
			assert.ok(difference <= 1e-9, `bin ${k} is off by ${difference}`);
		}
	},
});

export function framesOf(
	pieces: readonly Float32Array[],
	mels = 80,
): Float32Array {
	const logMel = new LogMel(mels, undefined);
	const taken: number[] = [];
	for (const piece of pieces) {
		logMel.accept(piece);
		taken.push(...logMel.take());
	}
	logMel.finish();
	taken.push(...logMel.take());
	return Float32Array.from(taken);
}

function signal(random: Random, count: number): Float32Array {
	return Float32Array.from({ length: count }, () => random() - 0.5);
}
