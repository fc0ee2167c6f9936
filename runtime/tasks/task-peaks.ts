/**
 * The shape of a task's audio, for drawing it: the loudest sample of each twentieth of a second. Decoded once, when somebody looks at it for the first time; one
 * file at a time, since a decoder takes a core.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { PeaksRow } from "../store/row-codec.js";
import type { TaskEditRepository } from "../store/task-edits.js";
import { audioSecondsMax } from "./file-options.js";
import { decodeKeptAudio, type KeptAudioParts } from "./kept-audio.js";

export const peaksPerSecond = 20;

export interface TaskPeaksParts extends KeptAudioParts {
	readonly edits: Pick<TaskEditRepository, "alone" | "peaks" | "putPeaks">;
}

export class TaskPeaks {
	readonly #parts: TaskPeaksParts;
	readonly #underWay = new Map<string, Promise<PeaksRow>>();
	#turn: Promise<unknown> = Promise.resolve();

	constructor(parts: TaskPeaksParts) {
		this.#parts = parts;
	}

	/** @throws CodedError 100001 where the audio is gone or can't be drawn */
	async of(id: string): Promise<PeaksRow> {
		const known = this.#parts.edits.peaks(id) ?? this.#underWay.get(id);
		if (known) return known;
		const made = this.#turn.then(() => this.#make(id));
		this.#turn = made.catch(() => {});
		this.#underWay.set(id, made);
		return made.finally(() => this.#underWay.delete(id));
	}

	async #make(id: string): Promise<PeaksRow> {
		const { edits, audioOf } = this.#parts;
		const track = new PeakTrack();
		const options = { durationSecondsMax: audioSecondsMax.vip };
		for await (const chunk of decodeKeptAudio(
			this.#parts,
			id,
			"drawn",
			options,
		))
			track.add(chunk);
		const row = { perSecond: peaksPerSecond, peaks: track.finish() };
		await edits.alone(id, async () => {
			if (audioOf(id)) await edits.putPeaks(id, row); // else it was removed meanwhile
		});
		return row;
	}
}

/** Pure. */
class PeakTrack {
	readonly #samplesPerPeak = sampleRateHz / peaksPerSecond;
	#peaks = new Uint8Array(1024);
	#length = 0;
	#samples = 0;
	#loudest = 0;

	add(samples: Float32Array): void {
		for (const sample of samples) {
			const size = Math.abs(sample);
			if (size > this.#loudest) this.#loudest = size;
			if (++this.#samples === this.#samplesPerPeak) this.#push();
		}
	}

	finish(): Uint8Array {
		if (this.#samples > 0) this.#push();
		return this.#peaks.slice(0, this.#length);
	}

	#push(): void {
		if (this.#length === this.#peaks.length) {
			const longer = new Uint8Array(this.#length * 2);
			longer.set(this.#peaks);
			this.#peaks = longer;
		}
		this.#peaks[this.#length++] = Math.min(
			255,
			Math.round(this.#loudest * 255),
		);
		this.#samples = 0;
		this.#loudest = 0;
	}
}

/** @param perSecond fewer than there are: each is the loudest of those that it stands for. */
export function coarser(
	{ perSecond, peaks }: PeaksRow,
	wanted: number,
): Uint8Array {
	if (wanted >= perSecond) return peaks;
	const step = perSecond / wanted;
	const made = new Uint8Array(Math.ceil(peaks.length / step));
	for (const [i, peak] of peaks.entries()) {
		const at = Math.floor(i / step);
		made[at] = Math.max(made[at] ?? 0, peak);
	}
	return made;
}
