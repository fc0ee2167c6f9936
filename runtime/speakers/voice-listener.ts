/**
 * Who speaks when in one recording: samples go in once, in order; only the windows' embeddings are kept (0.8 KB for every 0.8 s of speech), and at the
 * end they are told apart.
 */
import type { VoiceEmbedder } from "../models/campplus/embedder.js";
import type { SpeakerShape } from "../models/campplus/shape.js";
import { groupOf } from "./groups.js";
import { LocalLooks } from "./local-looks.js";
import {
	dividedAtChanges,
	type LocalVoice,
	localVoicesOf,
	turnsBeside,
} from "./local-voices.js";
import { coveringTurns, dividedRegions } from "./stretches.js";
import { numbersOf, type SpeakerTurn, turnsOf } from "./turns.js";
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
	readonly #looks: LocalLooks;
	readonly #regions: readonly Region[];
	readonly #stretches: readonly Region[];
	readonly #windows: readonly VoiceWindow[];
	readonly #cutter: WindowCutter;
	readonly #embeddings: (Float32Array | undefined)[];
	#waiting: CutWindow[] = [];

	/**
	 * @param regions where somebody speaks.
	 * @param speech the same without the pauses, in order.
	 * @param looks who speaks in short looks at the recording; empty where no model tells.
	 */
	constructor(
		embedder: VoiceEmbedder,
		shape: SpeakerShape,
		regions: readonly Region[],
		speech: readonly Region[],
		looks = new LocalLooks(),
	) {
		this.#looks = looks;
		this.#embedder = embedder;
		this.#shape = shape;
		this.#regions = soundRegions(regions);
		this.#stretches = dividedAtChanges(
			dividedRegions(this.#regions, speech, shape.shortestSeconds * 1000),
			looks,
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

	/** @param count voices; 0: as many as there are. @returns turns that cover the regions, and behind them those of whoever speaks at the same time. */
	async finish(count: number): Promise<SpeakerTurn[]> {
		this.#waiting.push(...this.#cutter.finish());
		await this.#embed();
		const windows = this.#windows;
		const locals = localVoicesOf(windows, this.#embeddings, this.#looks);
		const labels = labelVoices(
			windows,
			this.#embeddings,
			this.#shape,
			count,
			locals,
		);
		const turns = turnsOf(this.#stretches, windows, labels);
		return [
			...coveringTurns(this.#regions, turns),
			...this.#beside(turns, labels, locals),
		];
	}

	#beside(
		turns: readonly SpeakerTurn[],
		labels: readonly number[],
		locals: readonly LocalVoice[],
	): SpeakerTurn[] {
		const numbers = numbersOf(labels);
		const members = [...numbers.keys()].map((label) =>
			this.#embeddings.filter((it, i) => it && labels[i] === label),
		) as Float32Array[][];
		return turnsBeside(
			turns,
			this.#stretches,
			this.#looks,
			locals,
			members.map(groupOf),
			[...numbers.values()],
		);
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
