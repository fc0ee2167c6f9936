/**
 * Streaming log-mel features as Whisper was trained on: 25 ms periodic Hann window, 10 ms hop, Slaney mels, log10. The clamp to the window's own
 * maximum needs the whole window, so it is a second step (`whisperWindow`). A change here moves every transcript: it needs new golden numbers.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import { openFilterbank } from "./filterbank.js";
import {
	type Filterbank,
	type FilterbankPlan,
	type FilterbankPort,
	hopSamples,
} from "./filterbank-port.js";
import { slaneyFilters } from "./mel-filters.js";

const frameSize = 400;

const pad = frameSize / 2; // frames are centred on multiples of the hop
const powerMin = 1e-10;
const dynamicRange = 8; // in powers of ten below the window's maximum

/** Frame i is centred on sample 160 i; before the first and after the last sample the signal is mirrored. There are floor(samples / 160) frames. */
export class LogMel {
	readonly mels: number;
	readonly #filterbank: Filterbank;
	/** Samples from `#tailStart` on, which later frames still need. */
	#tail = new Float32Array(4 * frameSize);
	#tailLength = 0;
	#tailStart = -pad;
	#samplesSeen = 0;
	#framesMade = 0;
	#ready = new Float32Array(0);
	#readyLength = 0;
	#finished = false;

	/** @param mels 80, or 128 for large-v3. @param port absent: in JavaScript. */
	constructor(mels: number, port: FilterbankPort | undefined) {
		this.mels = mels;
		this.#filterbank = openFilterbank(planOf(mels), port);
	}

	/** @param samples mono, 16 kHz, [-1, 1], finite, any length; copied. */
	accept(samples: Float32Array): void {
		if (this.#finished) throw new Error("LogMel: accept after finish");
		const before = this.#samplesSeen;
		this.#append(samples);
		this.#samplesSeen += samples.length;
		if (before <= pad && this.#samplesSeen > pad) this.#mirrorStart();
		if (this.#samplesSeen > pad) this.#makeFrames(this.#samplesSeen);
	}

	/** Ends the signal: the frames that extend past the end are computed from the mirrored signal. */
	finish(): void {
		if (this.#finished) return;
		this.#finished = true;
		// A signal too short to be mirrored (12.5 ms) has no frames.
		if (this.#samplesSeen <= pad) return;
		const mirrored = new Float32Array(pad);
		const last = this.#tailLength - 1;
		for (let i = 0; i < pad; i++)
			mirrored[i] = this.#tail[last - 1 - i] as number;
		this.#append(mirrored);
		this.#makeFrames(this.#samplesSeen + pad);
	}

	/** Frames completed since the last call: log10 of mel power, [frames, mels], row-major. May be empty. */
	take(): Float32Array {
		const frames = this.#ready.slice(0, this.#readyLength);
		this.#readyLength = 0;
		return frames;
	}

	reset(): void {
		this.#tailLength = 0;
		this.#tailStart = -pad;
		this.#samplesSeen = 0;
		this.#framesMade = 0;
		this.#readyLength = 0;
		this.#finished = false;
	}

	#append(samples: Float32Array): void {
		// Reserves space for the mirrored start before the first sample.
		if (this.#tailStart === -pad && this.#tailLength === 0)
			this.#tailLength = pad;
		const needed = this.#tailLength + samples.length;
		if (needed > this.#tail.length) {
			const grown = new Float32Array(Math.max(needed, 2 * this.#tail.length));
			grown.set(this.#tail.subarray(0, this.#tailLength));
			this.#tail = grown;
		}
		this.#tail.set(samples, this.#tailLength);
		this.#tailLength = needed;
	}

	#mirrorStart(): void {
		for (let i = 1; i <= pad; i++)
			this.#tail[pad - i] = this.#tail[pad + i] as number;
	}

	/** Computes every frame whose window ends at or before sample `end`. */
	#makeFrames(end: number): void {
		const limit = Math.min(
			Math.floor((end - pad) / hopSamples) + 1,
			this.#finished
				? Math.floor(this.#samplesSeen / hopSamples)
				: Number.POSITIVE_INFINITY,
		);
		const count = limit - this.#framesMade;
		if (count <= 0) return;
		this.#reserve(count * this.mels);
		this.#filterbank.compute(
			this.#tail.subarray(
				this.#framesMade * hopSamples - pad - this.#tailStart,
				this.#tailLength,
			),
			count,
			this.#ready.subarray(this.#readyLength),
		);
		this.#readyLength += count * this.mels;
		this.#framesMade = limit;
		this.#dropUsed(this.#framesMade * hopSamples - pad - this.#tailStart);
	}

	#reserve(values: number): void {
		const needed = this.#readyLength + values;
		if (needed <= this.#ready.length) return;
		const grown = new Float32Array(needed);
		grown.set(this.#ready.subarray(0, this.#readyLength));
		this.#ready = grown;
	}

	#dropUsed(count: number): void {
		if (count <= 0) return;
		this.#tail.copyWithin(0, count, this.#tailLength);
		this.#tailLength -= count;
		this.#tailStart += count;
	}
}

/**
 * One window as the encoder's input: clamped to 8 powers of ten below its maximum, scaled, frames last, and padded with the values of silence.
 * @param frames [frameCount, mels] from `LogMel`.
 * @param frameTotal frames of the window; those missing in `frames` are digital silence.
 * @returns [mels, frameTotal]
 */
export function whisperWindow(
	frames: Float32Array,
	mels: number,
	frameTotal: number,
): Float32Array {
	const frameCount = Math.min(frames.length / mels, frameTotal);
	let max = frameCount < frameTotal ? Math.log10(powerMin) : -Infinity;
	for (let i = 0; i < frameCount * mels; i++)
		if ((frames[i] as number) > max) max = frames[i] as number;
	const floor = max - dynamicRange;
	const silence = (Math.max(Math.log10(powerMin), floor) + 4) / 4;
	const window = new Float32Array(mels * frameTotal);
	if (frameCount < frameTotal) window.fill(silence);
	for (let m = 0; m < mels; m++) {
		const row = m * frameTotal;
		for (let f = 0, i = m; f < frameCount; f++, i += mels) {
			const value = frames[i] as number;
			window[row + f] = (Math.max(value, floor) + 4) / 4;
		}
	}
	return window;
}

function planOf(mels: number): FilterbankPlan {
	const hzOf = (bin: number) => (bin * sampleRateHz) / frameSize;
	const nyquistHz = sampleRateHz / 2;
	const band = { lowHz: 0, highHz: nyquistHz, hzOf };
	return {
		removeOffset: false,
		preEmphasis: 0,
		window: hannWindow(),
		points: frameSize,
		filters: slaneyFilters(mels, frameSize / 2 + 1, band),
		noise: new Float64Array(mels),
		energyMin: powerMin,
		logarithm: "decimal",
	};
}

/** Periodic: a symmetric window of one sample more, without the last sample. */
function hannWindow(): Float64Array {
	const hann = new Float64Array(frameSize);
	for (let i = 0; i < frameSize; i++)
		hann[i] = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / frameSize);
	return hann;
}
