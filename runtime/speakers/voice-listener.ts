/**
 * Who speaks when in one recording: samples go in once, in order; only the windows' embeddings are kept (0.8 KB for every 0.8 s of speech), and at the
 * end they are told apart.
 */
import type { VoiceEmbedder } from "../models/campplus/embedder.js";
import type { SpeakerShape } from "../models/manifest.js";
import { coveringTurns, dividedRegions } from "./stretches.js";
import { type SpeakerTurn, turnsOf } from "./turns.js";
import { labelVoices } from "./voices.js";
import { type CutWindow, WindowCutter } from "./window-cutter.js";
import {
	type Region,
	soundRegions,
	type VoiceWindow,
	windowsOf,
} from "./windows.js";

/** Windows that wait for others of their length: 26 s of speech. */
const waitingMax = 32;

export class VoiceListener {
	readonly #embedder: VoiceEmbedder;
	readonly #shape: SpeakerShape;
	readonly #regions: readonly Region[];
	readonly #stretches: readonly Region[];
	readonly #windows: readonly VoiceWindow[];
	readonly #cutter: WindowCutter;
	readonly #embeddings: (Float32Array | undefined)[];
	#waiting: CutWindow[] = [];

	/**
	 * @param regions where somebody speaks.
	 * @param speech the same without the pauses, in order.
	 */
	constructor(
		embedder: VoiceEmbedder,
		shape: SpeakerShape,
		regions: readonly Region[],
		speech: readonly Region[],
	) {
		this.#embedder = embedder;
		this.#shape = shape;
		this.#regions = soundRegions(regions);
		this.#stretches = dividedRegions(
			this.#regions,
			speech,
			shape.shortestSeconds * 1000,
		);
		this.#windows = windowsOf(this.#stretches, shape);
		this.#cutter = new WindowCutter(this.#windows);
		this.#embeddings = this.#windows.map(() => undefined);
	}

	/** @param samples the recording's next, mono, 16 kHz. */
	async accept(samples: Float32Array): Promise<void> {
		for (const window of this.#cutter.accept(samples)) {
			this.#waiting.push(window);
			if (this.#waiting.length >= waitingMax) await this.#embed();
		}
	}

	/** @param count voices; 0: as many as there are. @returns turns that cover the regions. */
	async finish(count: number): Promise<SpeakerTurn[]> {
		this.#waiting.push(...this.#cutter.finish());
		await this.#embed();
		const labels = labelVoices(
			this.#windows,
			this.#embeddings,
			this.#shape,
			count,
		);
		const turns = turnsOf(this.#stretches, this.#windows, labels);
		return coveringTurns(this.#regions, turns);
	}

	/** Windows of one length together. */
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
