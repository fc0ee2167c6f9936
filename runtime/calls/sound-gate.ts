/**
 * Whether a leg is silent: nothing is said on it and there is not even the sound of a line, as on a muted telephone, or no audio comes at all. A silent leg needs no
 * recognition.
 */
import { decodeFrames, type SampleCodec } from "../audio/sample-codec.js";

/** Quiet speech is ten times as loud, the noise that telephones generate for comfort (ITU-T G.711 appendix II) quieter. */
const soundPeakMin = 0.006;

export class SoundGate {
	readonly #codec: SampleCodec;
	readonly #silentMs: number;
	#soundAtMs: number;
	#audioAtMs: number;

	constructor(codec: SampleCodec, silentMs: number, nowMs: number) {
		this.#codec = codec;
		this.#silentMs = silentMs;
		this.#soundAtMs = nowMs;
		this.#audioAtMs = nowMs;
	}

	/** @param bytes whole samples, mono. @returns whether there is sound in them. */
	accept(bytes: Uint8Array, nowMs: number): boolean {
		const samples = decodeFrames(bytes, this.#codec, 1);
		const isSound = samples.some((it) => Math.abs(it) >= soundPeakMin);
		this.#audioAtMs = nowMs;
		if (isSound) this.#soundAtMs = nowMs;
		return isSound;
	}

	isSilent(nowMs: number): boolean {
		return nowMs - this.#soundAtMs >= this.#silentMs;
	}

	/** No audio comes, silent or not. */
	hasStopped(nowMs: number): boolean {
		return nowMs - this.#audioAtMs >= this.#silentMs;
	}
}
