/**
 * Whether a leg is silent: nothing is said on it and there is not even the sound of a line, as on a muted telephone, or no audio comes at all. A silent leg needs no
 * recognition.
 */
import { decodeFrames, type SampleCodec } from "../audio/sample-codec.js";

/** Quiet speech is ten times as loud, the noise that telephones generate for comfort (ITU-T G.711 appendix II) quieter. */
const soundPeakMin = 0.006;

export class SoundGate {
	readonly #codec: SampleCodec;
	readonly #msPerSample: number;
	readonly #silentMs: number;
	#soundAtMs: number;
	/** When more audio should have come. */
	#audioUntilMs: number;

	constructor(
		{ codec, rateHz }: { readonly codec: SampleCodec; readonly rateHz: number },
		silentMs: number,
		nowMs: number,
	) {
		this.#codec = codec;
		this.#msPerSample = 1000 / rateHz;
		this.#silentMs = silentMs;
		this.#soundAtMs = nowMs;
		this.#audioUntilMs = nowMs;
	}

	/** @param bytes whole samples, mono. @returns whether there is sound in them. */
	accept(bytes: Uint8Array, nowMs: number): boolean {
		const samples = decodeFrames(bytes, this.#codec, 1);
		const isSound = samples.some((it) => Math.abs(it) >= soundPeakMin);
		const lengthMs = samples.length * this.#msPerSample;
		this.#audioUntilMs = Math.max(this.#audioUntilMs, nowMs + lengthMs);
		if (isSound) this.#soundAtMs = nowMs;
		return isSound;
	}

	isSilent(nowMs: number): boolean {
		return nowMs - this.#soundAtMs >= this.#silentMs;
	}

	/** No audio can come now: the client was told to wait. */
	pause(nowMs: number): void {
		this.#audioUntilMs = Math.max(this.#audioUntilMs, nowMs);
	}

	/** No audio comes, silent or not. A piece that is sent at once lasts as long as what is said in it. */
	hasStopped(nowMs: number): boolean {
		return nowMs - this.#audioUntilMs >= this.#silentMs;
	}
}
