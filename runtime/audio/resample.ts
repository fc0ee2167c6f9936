/**
 * Resamples from any rate to 16 kHz, in pieces: libsamplerate's band-limited sinc interpolation. This is the only file that uses the library.
 *
 * Medium quality: 0.3 dB down at 7 kHz, aliases 120 dB down (measured), a quarter of the time of the best quality, whose extra 600 Hz
 * do not affect the features. Output n corresponds to input n * rate / 16000: the library compensates the filter's delay, but holds
 * back the tail, which `finish` returns.
 */

import assert from "node:assert";
import libsamplerate from "@alexanderolsen/libsamplerate-js"; // CommonJS: no named exports at run time
import { sampleRateHz } from "./sample-rate.js";

type Engine = Awaited<ReturnType<typeof libsamplerate.create>>;

/** Each call copies through the engine's buffer; small blocks stay in the cache. */
const blockSamples = 8192;
/** More silence than the longest filter needs to output its tail. */
const flushBlocksMax = 64;
/** An engine takes 5 ms to create and uses about 3 MB: idle ones are kept for the next stream. */
const idleEnginesMax = 4;
const idleEngines: Engine[] = [];

/** @returns a resampler without an open stream. */
export async function createResampler(): Promise<Resampler> {
	const engine =
		idleEngines.pop() ??
		(await libsamplerate.create(1, sampleRateHz / 2, sampleRateHz, {
			converterType: libsamplerate.ConverterType.SRC_SINC_MEDIUM_QUALITY,
		}));
	return new Resampler(engine);
}

export class Resampler {
	#engine: Engine | undefined;
	#rateHz: number | undefined;
	#samplesIn = 0;
	#samplesOut = 0;

	/** Use `createResampler`. */
	constructor(engine: Engine) {
		this.#engine = engine;
	}

	/** Begins a stream. @param rateHz 4000 to 384000. */
	open(rateHz: number): void {
		const engine = this.#openEngine();
		this.#rateHz = rateHz;
		this.#samplesIn = 0;
		this.#samplesOut = 0;
		if (rateHz === sampleRateHz) return;
		engine.inputSampleRate = rateHz; // resets the filter even if the rate is the same
		engine.ratio = sampleRateHz / rateHz;
	}

	/** @param samples finite. @returns the samples that are ready, in a new array. */
	accept(samples: Float32Array): Float32Array {
		const converted = this.#convert(samples);
		this.#samplesIn += samples.length;
		this.#samplesOut += converted.length;
		return converted;
	}

	/** Ends the stream. @returns the rest: round(n * 16000 / rate) samples in all. */
	finish(): Float32Array {
		const rateHz = this.#openRateHz();
		const missing =
			Math.round((this.#samplesIn * sampleRateHz) / rateHz) - this.#samplesOut;
		const tail = new Float32Array(missing);
		const silence = new Float32Array(blockSamples);
		let filled = 0;
		for (let block = 0; filled < missing; block++) {
			assert(block < flushBlocksMax, "the resampler does not return its tail");
			const piece = this.#convert(silence).subarray(0, missing - filled);
			tail.set(piece, filled);
			filled += piece.length;
		}
		this.#samplesOut += missing;
		return tail;
	}

	/** Idempotent. */
	close(): void {
		if (this.#engine && idleEngines.length < idleEnginesMax)
			idleEngines.push(this.#engine);
		else if (this.#engine) this.#engine.destroy();
		this.#engine = undefined;
	}

	#convert(samples: Float32Array): Float32Array {
		const engine = this.#openEngine();
		if (this.#openRateHz() === sampleRateHz) return samples.slice();
		const pieces: Float32Array[] = [];
		for (let start = 0; start < samples.length; start += blockSamples)
			pieces.push(engine.full(samples.subarray(start, start + blockSamples)));
		return join(pieces);
	}

	#openEngine(): Engine {
		assert(this.#engine, "a closed resampler");
		return this.#engine;
	}

	#openRateHz(): number {
		assert(this.#rateHz, "a resampler that was not opened");
		return this.#rateHz;
	}
}

function join(pieces: readonly Float32Array[]): Float32Array {
	if (pieces.length === 1) return pieces[0] as Float32Array;
	const joined = new Float32Array(
		pieces.reduce((sum, piece) => sum + piece.length, 0),
	);
	let offset = 0;
	for (const piece of pieces) {
		joined.set(piece, offset);
		offset += piece.length;
	}
	return joined;
}
