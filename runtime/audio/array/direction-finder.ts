/**
 * Direction of arrival: SRP-PHAT (DiBiase 2000) over horizontal directions. For each pair of microphones the cross-spectrum is whitened, so that
 * every frequency has the same weight; the response of a direction is the sum of the pairs' correlations at its delays.
 *
 * Silent frames carry no information and are skipped: those less than `aboveFloor` above the noise floor of the last seconds.
 */

import assert from "node:assert";
import { sampleRateHz } from "../sample-rate.js";
import { Fft } from "./fft.js";
import { type Geometry, leads, lineAzimuthDeg } from "./geometry.js";

export const stepDeg = 5;
export const directionCount = 360 / stepDeg;

const frameSamples = 512;
const hopSamples = 256;
/** Upsampling factor of the correlations, which are read between samples. */
const finer = 4;
/** Below this rooms rumble, and small arrays have no resolution. */
const lowestHz = 250;
/** Above this there is little speech. */
const highestHz = 6500;

/** Power relative to the floor that counts as sound: 6 dB. */
const aboveFloor = 4;
/** The floor rises by 3 dB in two seconds, and falls immediately. */
const floorRise = 2 ** (1 / 125);
/** Frames below -80 dBFS are always silent. */
const quietestPower = 1e-8;

type Spectrum = { readonly re: Float64Array; readonly im: Float64Array };

type Pair = {
	readonly a: number;
	readonly b: number;
	/** Fractional index of each direction's delay in the correlation, [directionCount]. */
	readonly places: Float64Array;
	readonly re: Float64Array;
	readonly im: Float64Array;
};

export class DirectionFinder {
	readonly #microphones: number;
	readonly #pairs: readonly Pair[];
	readonly #distinguished: readonly boolean[];
	readonly #forward = new Fft(frameSamples);
	readonly #back = new Fft(frameSamples * finer);
	readonly #window = hann(frameSamples);
	readonly #spectra: readonly Spectrum[];
	/** The last samples of each microphone, until they fill a frame. */
	readonly #held: readonly Float32Array[];
	#heldSamples = 0;
	#framesSummed = 0;
	#floor = Number.POSITIVE_INFINITY;

	constructor(geometry: Geometry) {
		const size = frameSamples * finer;
		const table = Array.from({ length: directionCount }, (_, at) =>
			leads(geometry, at * stepDeg),
		);
		const pairs: Pair[] = [];
		for (let b = 1; b < geometry.length; b++)
			for (let a = 0; a < b; a++)
				pairs.push({
					a,
					b,
					places: Float64Array.from(table, (lead) => {
						const later = (lead[a] as number) - (lead[b] as number);
						return (later * sampleRateHz * finer + size) % size;
					}),
					re: new Float64Array(frameSamples / 2),
					im: new Float64Array(frameSamples / 2),
				});
		this.#microphones = geometry.length;
		this.#pairs = pairs;
		this.#distinguished = distinguishedDirections(geometry);
		this.#spectra = geometry.map(() => ({
			re: new Float64Array(frameSamples),
			im: new Float64Array(frameSamples),
		}));
		this.#held = geometry.map(() => new Float32Array(frameSamples));
	}

	/** @param channels one array per microphone, 16 kHz, of equal lengths. */
	accept(channels: readonly Float32Array[]): void {
		assert(channels.length === this.#microphones, "one array per microphone");
		const length = channels[0]?.length ?? 0;
		for (let from = 0; from < length; ) {
			const take = Math.min(frameSamples - this.#heldSamples, length - from);
			channels.forEach((samples, m) => {
				this.#held[m]?.set(
					samples.subarray(from, from + take),
					this.#heldSamples,
				);
			});
			this.#heldSamples += take;
			from += take;
			if (this.#heldSamples === frameSamples) this.#frame();
		}
	}

	/**
	 * The response of each direction since the last call, [directionCount], at most 1 where all pairs agree; those behind a linear array are 0.
	 * Undefined if all frames were silent.
	 */
	take(): Float32Array | undefined {
		if (this.#framesSummed === 0) return undefined;
		const response = new Float32Array(directionCount);
		for (const pair of this.#pairs) this.#addPair(pair, response);
		const count = this.#framesSummed * this.#pairs.length;
		for (let at = 0; at < directionCount; at++)
			response[at] = this.#distinguished[at]
				? Math.max(0, (response[at] as number) / count)
				: 0;
		this.#framesSummed = 0;
		return response;
	}

	#frame(): void {
		if (this.#isSound()) {
			this.#transformAll();
			for (const pair of this.#pairs) this.#correlate(pair);
			this.#framesSummed++;
		}
		for (const held of this.#held) held.copyWithin(0, hopSamples);
		this.#heldSamples = frameSamples - hopSamples;
	}

	/** By the median of the microphones' powers: neither a dead nor a noisy microphone decides. */
	#isSound(): boolean {
		const powers = this.#held.map(powerOf).sort((a, b) => a - b);
		const power = powers[powers.length >> 1] as number;
		if (power < quietestPower) return false;
		this.#floor = Math.min(this.#floor * floorRise, power);
		return power > aboveFloor * this.#floor;
	}

	#transformAll(): void {
		this.#held.forEach((samples, m) => {
			const { re, im } = this.#spectra[m] as Spectrum;
			for (let i = 0; i < frameSamples; i++)
				re[i] = (samples[i] as number) * (this.#window[i] as number);
			im.fill(0);
			this.#forward.transform(re, im);
		});
	}

	/** Adds the whitened cross-spectrum of the frame. */
	#correlate({ a, b, re, im }: Pair): void {
		const A = this.#spectra[a] as Spectrum;
		const B = this.#spectra[b] as Spectrum;
		for (let k = lowestBin; k < highestBin; k++) {
			const ar = A.re[k] as number;
			const ai = A.im[k] as number;
			const br = B.re[k] as number;
			const bi = B.im[k] as number;
			const r = br * ar + bi * ai; // B conj(A)
			const i = bi * ar - br * ai;
			const size = Math.hypot(r, i);
			if (size < 1e-20) continue;
			re[k] = (re[k] as number) + r / size;
			im[k] = (im[k] as number) + i / size;
		}
	}

	/** Transforms the sums back to delays, adds the correlations at each direction's delay, and resets the sums. */
	#addPair({ re, im, places }: Pair, response: Float32Array): void {
		const size = frameSamples * finer;
		const x = new Float64Array(size);
		const y = new Float64Array(size);
		// the inverse of a real correlation: conjugate, and twice the real part of half the spectrum
		for (let k = lowestBin; k < highestBin; k++) {
			x[k] = re[k] as number;
			y[k] = -(im[k] as number);
		}
		re.fill(0);
		im.fill(0);
		this.#back.transform(x, y);
		for (let at = 0; at < directionCount; at++) {
			const place = places[at] as number;
			const below = Math.floor(place);
			const share = place - below;
			const value =
				(x[below % size] as number) * (1 - share) +
				(x[(below + 1) % size] as number) * share;
			response[at] =
				(response[at] as number) + value / (highestBin - lowestBin);
		}
	}
}

const lowestBin = Math.ceil((lowestHz * frameSamples) / sampleRateHz);
const highestBin = Math.floor((highestHz * frameSamples) / sampleRateHz);

/** A linear array cannot distinguish its two sides. */
function distinguishedDirections(geometry: Geometry): boolean[] {
	const line = lineAzimuthDeg(geometry);
	return Array.from({ length: directionCount }, (_, at) => {
		if (line === undefined) return true;
		const fromLine = (at * stepDeg - line + 720) % 360;
		return fromLine <= 180;
	});
}

function powerOf(samples: Float32Array): number {
	let sum = 0;
	for (const sample of samples) sum += sample * sample;
	return sum / samples.length;
}

function hann(size: number): Float64Array {
	return Float64Array.from(
		{ length: size },
		(_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size),
	);
}
