/**
 * Cuts windows out of a stream of samples, keeping only the samples that incomplete windows need.
 */
import type { EmbeddingWindow } from "./windows.js";

export interface CutWindow {
	/** Index of the window in the list. */
	readonly index: number;
	readonly samples: Float32Array;
}

export class WindowCutter {
	readonly #windows: readonly EmbeddingWindow[];
	/** Indices in the list, ordered by the windows' beginnings. */
	readonly #order: readonly number[];
	#next = 0;
	/** Samples from `#keptFrom` on. */
	#kept: Float32Array[] = [];
	#keptFrom = 0;
	#seen = 0;

	constructor(windows: readonly EmbeddingWindow[]) {
		this.#windows = windows;
		this.#order = windows
			.map((_, index) => index)
			.sort(
				(a, b) =>
					(windows[a] as EmbeddingWindow).startSample -
					(windows[b] as EmbeddingWindow).startSample,
			);
	}

	/** Whether all windows are cut, so that further samples are ignored. */
	get done(): boolean {
		return this.#next === this.#order.length;
	}

	/** @param samples copied where kept. @returns the windows that are complete now. */
	accept(samples: Float32Array): CutWindow[] {
		if (this.done) return [];
		this.#kept.push(samples.slice());
		this.#seen += samples.length;
		const whole: CutWindow[] = [];
		for (;;) {
			const window = this.#open();
			if (!window || window.endSample > this.#seen) break;
			whole.push(this.#cut(window));
		}
		this.#forget();
		return whole;
	}

	/** Ends the stream: missing samples of the last windows are silence. */
	finish(): CutWindow[] {
		const rest: CutWindow[] = [];
		for (;;) {
			const window = this.#open();
			if (!window) return rest;
			rest.push(this.#cut(window));
		}
	}

	#open(): EmbeddingWindow | undefined {
		const index = this.#order[this.#next];
		return index === undefined ? undefined : this.#windows[index];
	}

	/** Cuts the current window and moves to the next one. */
	#cut({ startSample, endSample }: EmbeddingWindow): CutWindow {
		const samples = new Float32Array(endSample - startSample);
		let at = this.#keptFrom;
		for (const piece of this.#kept) {
			const from = Math.max(startSample, at);
			const to = Math.min(endSample, at + piece.length);
			if (to > from)
				samples.set(piece.subarray(from - at, to - at), from - startSample);
			at += piece.length;
		}
		return { index: this.#order[this.#next++] as number, samples };
	}

	#forget(): void {
		const neededFrom = this.#open()?.startSample ?? this.#seen;
		while (this.#kept[0] && this.#keptFrom + this.#kept[0].length <= neededFrom)
			this.#keptFrom += (this.#kept.shift() as Float32Array).length;
	}
}
