/**
 * The entry point for audio: chunks of bytes in any format in, mono samples at 16 kHz out, checked, counted and amplified.
 * Raw audio and WAV are decoded here. Any other container is reported by `needsDecoder`; its samples are then passed to `acceptDecoded`.
 */

import assert from "node:assert";
import { CodedError } from "../errors.js";
import { ByteBuffer } from "./byte-buffer.js";
import { concat } from "./concat.js";
import { Conditioner } from "./conditioner.js";
import {
	type AudioFormat,
	codecOf,
	isRaw,
	type RawFormat,
} from "./container.js";
import type { Container } from "./decoder-port.js";
import { requireFinite } from "./finite.js";
import { identify } from "./identify.js";
import { PcmDecoder } from "./pcm.js";
import { Resampler } from "./resample.js";
import { WavDecoder } from "./wav.js";

export interface IntakeOptions {
	/** The client's label. */
	readonly format: AudioFormat;
	/** Sample rate of raw audio, 4000 to 384000; containers have their own. */
	readonly sampleRateHz: number;
	/** Interleaved channels of raw audio, averaged; default 1. */
	readonly rawChannels?: number;
	/** Amplitude factor, 1 to 20. */
	readonly gain: number;
	/** Longer audio is refused; Infinity where the caller enforces the limit. */
	readonly durationSecondsMax: number;
}

type Route =
	/** The format is not known yet. */
	| { readonly is: "sniffing" }
	| { readonly is: "raw"; readonly decoder: PcmDecoder }
	/** A WAV whose samples may turn out to be compressed. */
	| { readonly is: "wav-header"; readonly decoder: WavDecoder }
	| { readonly is: "wav"; readonly decoder: WavDecoder }
	| { readonly is: "external"; readonly container: Container }
	| { readonly is: "finished" };

/** The first bytes are examined in pieces of this size, independent of the chunks. */
const headPieceBytes = 4096;
/** Maximum size of a WAV header up to its fmt chunk; bytes between that and the data are not buffered. */
const wavHeaderBytesMax = 1024 * 1024;
const none: Float32Array = new Float32Array(0);

export class AudioIntake {
	readonly #options: IntakeOptions;
	/** Once the rate is known. */
	#resampler: Resampler | undefined;
	readonly #conditioner: Conditioner;
	/** Bytes received before the route was known, for the decoder. */
	readonly #held = new ByteBuffer();
	#route: Route = { is: "sniffing" };
	/** Number of bytes at which sniffing is tried again; it grows, because each attempt reads everything. */
	#sniffAtBytes = 1;
	#bytesSeen = 0;
	#samplesIn = 0;

	constructor(options: IntakeOptions) {
		this.#options = options;
		this.#conditioner = new Conditioner(
			options.gain,
			options.durationSecondsMax,
		);
	}

	/** Set once the bytes turn out to need an external decoder: pass it `takeHeld()` and all further bytes, and pass its samples to `acceptDecoded`. */
	get needsDecoder(): Container | undefined {
		return this.#route.is === "external" ? this.#route.container : undefined;
	}

	/** Samples that the gain would have clipped. */
	get clippedSamples(): number {
		return this.#conditioner.clippedSamples;
	}

	/** At 16 kHz. */
	get samplesSeen(): number {
		return this.#conditioner.samplesSeen;
	}

	/**
	 * One call at a time: the next one may follow when this one has returned its samples.
	 * @param bytes copied where kept. @returns possibly none. @throws CodedError 200005, 200006
	 */
	async accept(bytes: Uint8Array): Promise<Float32Array> {
		assert(this.#route.is !== "external", "these bytes are for the decoder");
		assert(this.#route.is !== "finished", "audio after its end");
		this.#bytesSeen += bytes.length;
		return this.#conditioner.accept(await this.#decode(bytes));
	}

	/** @param samples of the external decoder; may be changed in place and returned. @throws CodedError 200005, 200006 */
	acceptDecoded(samples: Float32Array): Float32Array {
		assert(this.#route.is === "external", "no decoder was requested");
		return this.#conditioner.accept(samples);
	}

	/** The bytes received before `needsDecoder` was set; returned once. */
	takeHeld(): Uint8Array {
		return this.#held.take();
	}

	/**
	 * Ends the audio. If `needsDecoder` is set only afterwards, the whole audio is in `takeHeld()`: decode it, then call `finish` again.
	 * @returns the last samples. @throws CodedError 200006, 200007
	 */
	async finish(): Promise<Float32Array> {
		const last = this.#conditioner.accept(await this.#finishDecoding());
		if (this.#route.is === "external" && this.#held.bytes > 0) return last;
		this.#route = { is: "finished" };
		this.#conditioner.finish();
		return last;
	}

	/** Releases the resampler; idempotent. */
	close(): void {
		this.#resampler?.close();
	}

	/** @returns samples at 16 kHz. */
	async #decode(bytes: Uint8Array): Promise<Float32Array> {
		let rest = bytes;
		let ready: Float32Array = none;
		while (rest.length > 0 && isUndecided(this.#route)) {
			const piece = rest.subarray(0, headPieceBytes);
			rest = rest.subarray(piece.length);
			ready = await this.#readHead(piece);
		}
		const route = this.#route;
		if (route.is === "external") this.#held.add(rest);
		if (route.is !== "raw" && route.is !== "wav") return ready;
		return concat(ready, this.#resample(route.decoder.accept(rest)));
	}

	async #finishDecoding(): Promise<Float32Array> {
		if (this.#bytesSeen === 0) throw new CodedError("200007");
		const first =
			this.#route.is === "sniffing" ? await this.#sniff(true) : none;
		const route = this.#route;
		if (route.is === "wav" || route.is === "wav-header") route.decoder.finish();
		if (route.is !== "raw" && route.is !== "wav") return first;
		return concat(first, this.#openResampler().finish());
	}

	async #readHead(piece: Uint8Array): Promise<Float32Array> {
		this.#held.add(piece);
		if (this.#route.is === "wav-header")
			return this.#readWavHeader(this.#route.decoder, piece);
		if (this.#held.bytes < this.#sniffAtBytes) return none;
		this.#sniffAtBytes = Math.ceil(this.#held.bytes * 1.25);
		return this.#sniff(false);
	}

	async #sniff(ended: boolean): Promise<Float32Array> {
		const head = this.#held.joined();
		const found = identify(this.#options.format, head, ended);
		if (found === undefined) return none;
		if (isRaw(found)) return this.#beginRaw(found, this.#held.take());
		if (found !== "wav") {
			this.#route = { is: "external", container: found };
			return none;
		}
		const decoder = new WavDecoder();
		this.#route = { is: "wav-header", decoder };
		return this.#readWavHeader(decoder, head);
	}

	async #beginRaw(format: RawFormat, head: Uint8Array): Promise<Float32Array> {
		const { sampleRateHz, rawChannels = 1 } = this.#options;
		const decoder = new PcmDecoder(codecOf(format), rawChannels);
		this.#route = { is: "raw", decoder };
		this.#resampler = await Resampler.open(sampleRateHz);
		return this.#resample(decoder.accept(head));
	}

	async #readWavHeader(
		decoder: WavDecoder,
		bytes: Uint8Array,
	): Promise<Float32Array> {
		const samples = decoder.accept(bytes);
		const format = decoder.format;
		if (!format) {
			if (this.#held.bytes > wavHeaderBytesMax)
				throw new CodedError(
					"200006",
					`WAV has no fmt chunk in its first ${wavHeaderBytesMax} bytes`,
				);
			return none;
		}
		if (format.codec === "other") {
			this.#route = { is: "external", container: "wav" };
			return none;
		}
		this.#held.take();
		this.#route = { is: "wav", decoder };
		this.#resampler = await Resampler.open(format.sampleRateHz);
		return this.#resample(samples);
	}

	#resample(samples: Float32Array): Float32Array {
		requireFinite(samples, this.#samplesIn); // the filter would spread a NaN
		this.#samplesIn += samples.length;
		return this.#openResampler().accept(samples);
	}

	#openResampler(): Resampler {
		assert(this.#resampler, "samples before their rate is known");
		return this.#resampler;
	}
}

function isUndecided(route: Route): boolean {
	return route.is === "sniffing" || route.is === "wav-header";
}
