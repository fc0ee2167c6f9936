/**
 * Diarization of one recording: samples are accepted once, in order; only the windows' embeddings are kept (0.8 KB for every 0.8 s of speech), and at the
 * end they are clustered.
 */
import type { VoiceEmbedder } from "../models/campplus/embedder.js";
import type { SpeakerShape } from "../models/campplus/shape.js";
import { groupOf } from "./groups.js";
import { labelSpeakers } from "./label-speakers.js";
import { LocalSpans } from "./local-spans.js";
import {
	dividedAtChanges,
	type LocalSpeaker,
	localSpeakersOf,
} from "./local-speakers.js";
import { coveringTurns, dividedRegions } from "./speech-regions.js";
import { numbersOf, type SpeakerTurn, turnsOf } from "./turns.js";
import { turnsBeside } from "./turns-beside.js";
import { type CutWindow, WindowCutter } from "./window-cutter.js";
import {
	type EmbeddingWindow,
	type Region,
	soundRegions,
	windowsOf,
} from "./windows.js";

/** Windows that wait for others of the same length: 26 s of speech. */
const waitingMax = 32;

export class Diarizer {
	readonly #embedder: VoiceEmbedder;
	readonly #shape: SpeakerShape;
	readonly #spans: LocalSpans;
	readonly #regions: readonly Region[];
	readonly #speechRegions: readonly Region[];
	readonly #windows: readonly EmbeddingWindow[];
	readonly #cutter: WindowCutter;
	readonly #embeddings: (Float32Array | undefined)[];
	#waiting: CutWindow[] = [];

	/**
	 * @param regions with speech.
	 * @param speech the same regions without pauses, in order.
	 * @param spans speakers in each 10 s of the recording; empty without a segmentation model.
	 */
	constructor(
		embedder: VoiceEmbedder,
		shape: SpeakerShape,
		regions: readonly Region[],
		speech: readonly Region[],
		spans = new LocalSpans(),
	) {
		this.#spans = spans;
		this.#embedder = embedder;
		this.#shape = shape;
		this.#regions = soundRegions(regions);
		this.#speechRegions = dividedAtChanges(
			dividedRegions(this.#regions, speech, shape.shortestSeconds * 1000),
			spans,
		);
		this.#windows = windowsOf(this.#speechRegions, shape);
		this.#cutter = new WindowCutter(this.#windows);
		this.#embeddings = this.#windows.map(() => undefined);
	}

	/** @param samples the next samples of the recording, mono, 16 kHz. */
	async accept(samples: Float32Array): Promise<void> {
		for (const window of this.#cutter.accept(samples)) {
			this.#waiting.push(window);
			if (this.#waiting.length >= waitingMax) await this.#embed();
		}
	}

	/** @param count number of speakers; 0: estimated. @returns turns that cover the regions, followed by those of simultaneous second speakers. */
	async finish(count: number): Promise<SpeakerTurn[]> {
		this.#waiting.push(...this.#cutter.finish());
		await this.#embed();
		const windows = this.#windows;
		const locals = localSpeakersOf(windows, this.#embeddings, this.#spans);
		const labels = labelSpeakers(
			windows,
			this.#embeddings,
			this.#shape,
			count,
			locals,
		);
		const turns = turnsOf(this.#speechRegions, windows, labels);
		return [
			...coveringTurns(this.#regions, turns),
			...this.#beside(turns, labels, locals),
		];
	}

	#beside(
		turns: readonly SpeakerTurn[],
		labels: readonly number[],
		locals: readonly LocalSpeaker[],
	): SpeakerTurn[] {
		const numbers = numbersOf(labels);
		const members = [...numbers.keys()].map((label) =>
			this.#embeddings.filter((it, i) => it && labels[i] === label),
		) as Float32Array[][];
		return turnsBeside(
			turns,
			this.#speechRegions,
			this.#spans,
			locals,
			members.map(groupOf),
			[...numbers.values()],
		);
	}

	/** Embeds windows of the same length together. */
	async #embed(): Promise<void> {
		const byLength = new Map<number, CutWindow[]>();
		for (const window of this.#waiting) {
			const { length } = window.samples;
			byLength.set(length, [...(byLength.get(length) ?? []), window]);
		}
		this.#waiting = [];
		for (const windows of byLength.values()) {
			const embeddings = await this.#embedder.embed(
				windows.map((it) => it.samples),
			);
			for (const [i, { index }] of windows.entries())
				this.#embeddings[index] = embeddings[i];
		}
	}
}
