/** The recognitions of a session that have not ended, in the order of their audio: at most the last one gets more. */
import type { RecognitionOptions } from "../../../session/options.js";
import type { ManualTurn } from "./manual-turn.js";
import { Run } from "./run.js";
import type { RealtimeSettings } from "./settings.js";

/** The recognitions of one connection, by number; each begins when the one before has ended. */
export interface Recognitions {
	open(run: number, options: RecognitionOptions): void;
	/** @param seconds that the bytes last. */
	write(run: number, bytes: Uint8Array, seconds: number): void;
	/** No more audio comes: its events follow. */
	finish(run: number): void;
	/** Nothing of it follows. */
	cancel(run: number): void;
}

export class Runs {
	readonly #recognitions: Recognitions;
	readonly #runs: Run[] = [];
	#opened = 0;

	constructor(recognitions: Recognitions) {
		this.#recognitions = recognitions;
	}

	get size(): number {
		return this.#runs.length;
	}

	/** A copy: they may end meanwhile. */
	get all(): readonly Run[] {
		return [...this.#runs];
	}

	get last(): Run | undefined {
		return this.#runs.at(-1);
	}

	/** The one that gets audio. */
	get current(): Run | undefined {
		const { last } = this;
		return last?.isFinishing ? undefined : last;
	}

	find(id: number): Run | undefined {
		return this.#runs.find((it) => it.id === id);
	}

	/** @param fromMs where it begins in the audio of the session. @param turn that its text belongs to, where the client commits */
	open(
		settings: RealtimeSettings,
		options: RecognitionOptions,
		fromMs: number,
		turn: ManualTurn | undefined,
	): Run {
		const run = new Run(this.#opened++, settings, options, fromMs, turn);
		if (run.turn) run.turn.runsOpen++;
		this.#runs.push(run);
		this.#recognitions.open(run.id, options);
		return run;
	}

	/** @param seconds that the bytes last. */
	write(run: Run, bytes: Uint8Array, seconds: number): void {
		this.#recognitions.write(run.id, bytes, seconds);
	}

	/** It gets no more audio. */
	finish(run: Run): void {
		if (run.isFinishing) return;
		run.isFinishing = true;
		this.#recognitions.finish(run.id);
	}

	/** Nothing of it follows. */
	cancel(run: Run): void {
		this.remove(run.id);
		this.#recognitions.cancel(run.id);
	}

	/** It has ended. @returns undefined where it had before. */
	remove(id: number): Run | undefined {
		const at = this.#runs.findIndex((it) => it.id === id);
		const [run] = at < 0 ? [] : this.#runs.splice(at, 1);
		if (run?.turn) run.turn.runsOpen--;
		return run;
	}
}
