/**
 * A further copy of the recognizer in a separate process, seen from the engine that started it. (Not a thread: ONNX Runtime aborts the whole process
 * when one of its threads ends at the wrong moment.)
 *
 * INVARIANT: every request is answered: with the process's result, or with an error that it died. A process at idle priority that gets no CPU time is found
 * starved and not killed; one that hangs is killed.
 */
import assert from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";
import { ownCommand } from "../../../config/own-program.js";
import { Deferred } from "../../../event-loop/deferred.js";
import type { Hypothesis, SegmentRequest } from "../../../models/recognizer.js";
import { WorkerProcess } from "../../../process/worker-process.js";
import type { WordList } from "../../../words/word-list.js";
import { isStarved } from "../../starvation.js";
import type {
	CopySettings,
	FromCopy,
	SentRequest,
	ToCopy,
} from "./copy-protocol.js";
import type { PooledRecognizer } from "./recognizer-pool.js";

type Results = readonly (Hypothesis | "cancelled")[];

interface PendingBatch {
	readonly id: number;
	readonly requests: readonly SegmentRequest[];
	readonly answer: Deferred<Results>;
}

export interface CopyOptions {
	/** Longer than the longest inference. */
	readonly silentMsMax?: number;
	/** Called with each message being sent to the process; settles when it was sent, or can't be. */
	readonly onSending?: (sent: Promise<void>) => void;
	readonly onRefinementFailed?: (error: Error) => void;
}

const silentMsDefault = 30_000;

export class RecognizerProcess implements PooledRecognizer {
	readonly batchesMax = 2;
	readonly #worker: WorkerProcess<FromCopy, ToCopy>;
	readonly #silentMsMax: number;
	readonly #onSending: (sent: Promise<void>) => void;
	readonly #onRefinementFailed: (error: Error) => void;
	readonly #ready = new Deferred<void>();
	/** Oldest first; the process works on the first. */
	#pending: readonly PendingBatch[] = [];
	#lastId = 0;
	#lastMessageMs = 0;
	/** What it has begun is still answered. */
	#isBroken = false;
	/** Keys of the lists that the process has. */
	#listKeys: ReadonlySet<string> = new Set();

	/** Starts the process and has it load its copy. */
	constructor(
		settings: CopySettings,
		{
			silentMsMax = silentMsDefault,
			onSending = () => {},
			onRefinementFailed = () => {},
		}: CopyOptions = {},
	) {
		this.#silentMsMax = silentMsMax;
		this.#onSending = onSending;
		this.#onRefinementFailed = onRefinementFailed;
		this.#worker = new WorkerProcess(ownCommand("recognizer"), {
			onMessage: (message) => this.#onMessage(message),
			onEnd: (reason) => this.#onEnd(reason),
		});
		this.#worker.send({ is: "load", settings });
	}

	/** Rejects if the copy can't be loaded. */
	get ready(): Promise<void> {
		return this.#ready.promise;
	}

	get hasEnded(): boolean {
		return this.#worker.hasEnded || this.#isBroken;
	}

	get pid(): number | undefined {
		return this.#worker.pid;
	}

	recognizeAll(requests: readonly SegmentRequest[]): Promise<Results> {
		assert(this.#pending.length < this.batchesMax, "too many batches");
		const id = ++this.#lastId;
		const batch = { id, requests, answer: new Deferred<Results>() };
		if (this.hasEnded) batch.answer.reject(died("before the request"));
		else this.#sendBatch(batch);
		return batch.answer.promise;
	}

	async close(): Promise<void> {
		this.#worker.kill();
		await this.#worker.ended;
	}

	#sendBatch(batch: PendingBatch): void {
		const { id, requests } = batch;
		const lists = this.#listsToSend(requests);
		if (this.#pending.length === 0) this.#lastMessageMs = performance.now();
		this.#pending = [...this.#pending, batch];
		const message: ToCopy = {
			is: "recognize",
			id,
			requests: requests.map(sent),
			lists,
		};
		this.#onSending(
			new Promise((onSent) => this.#worker.send(message, onSent)),
		);
		void this.#watch(batch);
	}

	/** A batch may have requests of several clients, each with a list of its own. */
	#listsToSend(
		requests: readonly SegmentRequest[],
	): readonly WordList[] | undefined {
		const lists = new Map(
			requests.flatMap(({ hotwords }) =>
				hotwords ? [[hotwords.list.key, hotwords.list] as const] : [],
			),
		);
		const keys = [...lists.keys()];
		if (keys.every((key) => this.#listKeys.has(key))) return undefined;
		this.#listKeys = new Set(keys);
		return [...lists.values()];
	}

	#onMessage(message: FromCopy): void {
		this.#lastMessageMs = performance.now();
		switch (message.is) {
			case "ready":
				this.#ready.resolve();
				return;
			case "broken":
				this.#ready.reject(new Error(message.message));
				this.#isBroken = true;
				this.#endIfBroken();
				return;
			case "alive":
				for (const batch of this.#pending) this.#passOnCancels(batch);
				return;
			case "refinement-failed":
				this.#onRefinementFailed(new Error(message.message));
				return;
			case "recognized":
				this.#answered(message.id)?.resolve(message.results);
				return;
			case "failed":
				this.#answered(message.id)?.reject(new Error(message.message));
		}
	}

	#answered(id: number): Deferred<Results> | undefined {
		const batch = this.#pending.find((it) => it.id === id);
		this.#pending = this.#pending.filter((it) => it !== batch);
		this.#endIfBroken();
		return batch?.answer;
	}

	#endIfBroken(): void {
		if (this.#isBroken && this.#pending.length === 0) this.#worker.kill();
	}

	/** Polls as a recognizer in this process would: the client sees that work is going on. */
	#passOnCancels({ id, requests }: PendingBatch): void {
		requests.forEach((request, index) => {
			if (request.cancelled?.()) this.#worker.send({ is: "cancel", id, index });
		});
	}

	/** Watches the process until the batch is answered. */
	async #watch(batch: PendingBatch): Promise<void> {
		for (;;) {
			await sleep(this.#silentMsMax / 4);
			if (!this.#pending.includes(batch)) return;
			if (performance.now() - this.#lastMessageMs < this.#silentMsMax) continue;
			if (await isStarved(this.pid)) this.#passOnCancels(batch);
			else if (performance.now() - this.#lastMessageMs >= this.#silentMsMax)
				this.#worker.kill();
		}
	}

	#onEnd(how: string): void {
		this.#ready.reject(died(how));
		for (const { answer } of this.#pending) answer.reject(died(how));
		this.#pending = [];
	}
}

function died(how: string): Error {
	return new Error(`a copy of the recognizer died: ${how}`);
}

function sent({
	cancelled,
	segmentKey,
	hotwords,
	...request
}: SegmentRequest): SentRequest {
	return {
		...request,
		hotwords: hotwords && { key: hotwords.list.key, weight: hotwords.weight },
	};
}
