/** A part of a task's audio, decoded. One at a time, since a decoder takes a core; it has to decode what lies before the part as well. */
import { s16Bytes } from "../audio/sample-codec.js";
import { sampleRateHz } from "../audio/sample-rate.js";
import { CodedError } from "../errors.js";
import { decodeKeptAudio, type KeptAudioParts } from "./kept-audio.js";

/** As much as a short request may have. */
export const cutSecondsMax = 600;

export interface Cut {
	readonly startSeconds: number;
	/** At most `cutSecondsMax` later. */
	readonly endSeconds: number;
}

export class TaskCuts {
	readonly #parts: KeptAudioParts;
	#turn: Promise<unknown> = Promise.resolve();

	constructor(parts: KeptAudioParts) {
		this.#parts = parts;
	}

	/**
	 * @returns signed 16-bit little-endian samples, mono, 16 kHz; fewer where the audio ends before the cut does.
	 * @throws CodedError 100001 where the audio is gone or has no header, 200007 where it ends before the cut begins; the signal's reason
	 */
	of(id: string, cut: Cut, signal: AbortSignal): Promise<Uint8Array> {
		const made = this.#turn.then(() => this.#make(id, cut, signal));
		this.#turn = made.catch(() => {});
		return made;
	}

	async #make(
		id: string,
		{ startSeconds, endSeconds }: Cut,
		signal: AbortSignal,
	): Promise<Uint8Array> {
		signal.throwIfAborted();
		const part = new PartOfTrack(
			Math.round(startSeconds * sampleRateHz),
			Math.round(endSeconds * sampleRateHz),
		);
		const options = { durationSecondsMax: endSeconds, signal };
		for await (const chunk of decodeKeptAudio(
			this.#parts,
			id,
			"cut",
			options,
		)) {
			part.add(chunk);
			if (part.isWhole) break;
		}
		const samples = part.finish();
		if (samples.length === 0)
			throw new CodedError("200007", "the audio ends before the cut begins");
		return samples;
	}
}

/** Pure. Sample numbers are of the whole track. */
class PartOfTrack {
	readonly #from: number;
	readonly #to: number;
	readonly #chunks: Uint8Array[] = [];
	#seen = 0;

	constructor(from: number, to: number) {
		this.#from = from;
		this.#to = to;
	}

	get isWhole(): boolean {
		return this.#seen >= this.#to;
	}

	/** @param samples in [-1, 1], which follow those before. */
	add(samples: Float32Array): void {
		const part = samples.subarray(
			Math.max(0, this.#from - this.#seen),
			Math.max(0, this.#to - this.#seen),
		);
		this.#seen += samples.length;
		if (part.length > 0) this.#chunks.push(s16Bytes(part));
	}

	finish(): Uint8Array {
		return Buffer.concat(this.#chunks);
	}
}
