/** Frames of samples in pieces of any length, and the transform compared with its definition. */
import assert from "node:assert/strict";
import { LogMel } from "../../runtime/features/log-mel.js";
import { RealFft400 } from "../../runtime/features/real-fft.js";
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

export const transformIsAsDefined = (): Property<Float32Array> => ({
	name: "features/fft",
	promise: "the FFT of 400 samples agrees with the definition",
	draw: (random) => signal(random, 400),
	check(samples) {
		const power = powerOf(samples);
		for (let k = 0; k <= 200; k++) {
			let re = 0;
			let im = 0;
			samples.forEach((sample, n) => {
				re += sample * Math.cos((2 * Math.PI * k * n) / 400);
				im -= sample * Math.sin((2 * Math.PI * k * n) / 400);
			});
			const difference = Math.abs((power[k] as number) - (re * re + im * im));
			assert.ok(difference <= 1e-9, `bin ${k} is off by ${difference}`);
		}
	},
});

function powerOf(samples: Float32Array): Float64Array {
	const fft = new RealFft400();
	samples.forEach((sample, n) => {
		if (n % 2 === 0) fft.re[n / 2] = sample;
		else fft.im[(n - 1) / 2] = sample;
	});
	const power = new Float64Array(201);
	fft.power(power);
	return power;
}

export function framesOf(
	pieces: readonly Float32Array[],
	mels = 80,
): Float32Array {
	const logMel = new LogMel(mels);
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
