/**
 * Tasks whose speech is recognized while it is spoken: calls. Their utterances are stored one by one, as they are reported; when the speech is over, the
 * transcript is composed and announced like that of a file.
 *
 * INVARIANTS
 * - An utterance is on the disk when `add` resolves: after a power cut the next start completes the task with what there is.
 * - A task that was removed is not written again, nor announced: while it is being removed, nothing composes its transcript.
 */
import { sleepUnlessAborted } from "../event-loop/sleep.js";
import { finishInSlices } from "../event-loop/slices.js";
import type { Owner } from "../owner.js";
import type { Utterance } from "../session/events.js";
import { KeyedMutex } from "../store/keyed-mutex.js";
import { isUnfinished, type TaskRow } from "../store/tasks.js";
import { brokenMs } from "./back-off.js";
import type { FileOptions } from "./file-options.js";
import type { FileUtterance } from "./result/parts.js";
import type { RunParts } from "./run-parts.js";
import { runTask } from "./task-run.js";
import { transcriptLanguage } from "./transcript-language.js";
import { freshWork } from "./work.js";

export interface NewLiveTask {
	/** At least 128 random bits: its holder may read the result. */
	readonly id: string;
	readonly owner: Owner;
	/** Of the call, as its legs named it. */
	readonly call: string;
	/** `channels` is 2: each speaker is one. */
	readonly options: FileOptions;
}

export interface LiveTasksParts extends RunParts {
	/** A task was completed; its callback, where it has one, is in the outbox. */
	readonly onFinished: (row: TaskRow) => void;
}

const channels = [1, 2] as const;

export class LiveTasks {
	readonly #parts: LiveTasksParts;
	readonly #abort = new AbortController();
	/** Transcripts to be composed. */
	readonly #finishing = new Set<Promise<void>>();
	/** By task: composing it once, or removing it. */
	readonly #turns = new KeyedMutex();
	/** By task: ends the composing under way. */
	readonly #composing = new Map<string, AbortController>();

	constructor(parts: LiveTasksParts) {
		this.#parts = parts;
	}

	/** Completes the tasks of calls that a power cut or a restart ended. The rows have been loaded. */
	start(): void {
		for (const row of this.#parts.store.tasks.list())
			if (row.call !== undefined && isUnfinished(row.state))
				void this.finish(row.id, this.#spokenMs(row.id), []);
	}

	/** What is not finished yet is finished after the next start. */
	async stop(): Promise<void> {
		this.#abort.abort();
		for (const composing of this.#composing.values()) composing.abort();
		await Promise.all(this.#finishing);
	}

	/** Runs `remove` while nothing composes the transcript of this task; where it fails, composing begins again. @returns what `remove` returns */
	removing<T>(id: string, remove: () => Promise<T>): Promise<T> {
		this.#composing.get(id)?.abort();
		return this.#turns.run(id, remove);
	}

	/** @throws StoreError */
	async begin({ id, owner, call, options }: NewLiveTask): Promise<void> {
		const { store, clock } = this.#parts;
		const nowSeconds = clock.nowSeconds();
		await store.tasks.add(
			{
				id,
				owner,
				call,
				fileName: call,
				order: store.tasks.takeOrder(),
				vip: false,
				audioId: "",
				audioGone: true,
				audioMs: 0,
				state: "processing",
				insertSeconds: nowSeconds,
				insertOperatingSeconds: clock.operatingSeconds(),
				processSeconds: nowSeconds,
				notes: [],
			},
			options,
		);
	}

	/** @param utterance whose index is that within its channel. @throws StoreError */
	async add(
		id: string,
		channel: (typeof channels)[number],
		utterance: FileUtterance,
	): Promise<void> {
		const { store } = this.#parts;
		if (!this.#isLive(id)) return;
		const work = store.work.get(id) ?? freshWork(2);
		await store.work.putUtterances(id, work, channel, utterance.index, [
			utterance,
		]);
	}

	/** Composes the transcript; tried again until the disk takes it. @param notes for people. Never rejects. */
	finish(id: string, audioMs: number, notes: readonly string[]): Promise<void> {
		const finishing = this.#finish(id, audioMs, notes).finally(() =>
			this.#finishing.delete(finishing),
		);
		this.#finishing.add(finishing);
		return finishing;
	}

	async #finish(
		id: string,
		audioMs: number,
		notes: readonly string[],
	): Promise<void> {
		const { signal } = this.#abort;
		for (let broken = 0; !signal.aborted && this.#isLive(id); broken++)
			try {
				if (await this.#compose(id, audioMs, notes)) return;
			} catch (error) {
				this.#parts.log.error(
					{ task: id, err: error },
					"storing the transcript of a call failed",
				);
				await sleepUnlessAborted(brokenMs(broken), signal);
			}
	}

	/** @returns whether it is finished, or no longer exists. @throws StoreError */
	#compose(
		id: string,
		audioMs: number,
		notes: readonly string[],
	): Promise<boolean> {
		return this.#turns.run(id, async () => {
			if (this.#abort.signal.aborted) return false;
			const composing = new AbortController();
			this.#composing.set(id, composing);
			try {
				return await this.#complete(id, audioMs, notes, composing.signal);
			} finally {
				this.#composing.delete(id);
			}
		});
	}

	async #complete(
		id: string,
		audioMs: number,
		notes: readonly string[],
		signal: AbortSignal,
	): Promise<boolean> {
		const { store, onFinished } = this.#parts;
		const row = store.tasks.find(id);
		const options = store.tasks.options(id);
		if (!row || !options) return true;
		const language = await finishInSlices(
			transcriptLanguage(options.language, this.#utterancesOf(id)),
		);
		const end = await runTask(this.#parts, {
			id,
			options: { ...options, language },
			path: "", // nothing is left to recognize
			signal,
			row: { ...row, notes },
			work: { ...(store.work.get(id) ?? freshWork(2)), audioMs },
			onProgress: () => {},
		});
		if (end.is !== "finished") return false;
		const finished = store.tasks.find(id);
		if (finished) onFinished(finished);
		await store.work.clear(id).catch(() => {}); // what remains is deleted by the sweeper
		return true;
	}

	#isLive(id: string): boolean {
		const row = this.#parts.store.tasks.find(id);
		return row !== undefined && isUnfinished(row.state);
	}

	#spokenMs(id: string): number {
		let ms = 0;
		for (const { endMs } of this.#utterancesOf(id)) ms = Math.max(ms, endMs);
		return ms;
	}

	/** Of one speaker, then of the other. */
	*#utterancesOf(id: string): Generator<Utterance> {
		for (const channel of channels)
			yield* this.#parts.store.work.utterances(id, channel);
	}
}
