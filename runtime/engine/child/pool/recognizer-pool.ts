/**
 * Several copies of one recognizer working on files: a free copy takes the oldest waiting request and those that fit into a batch with it. A model this small
 * does not use two cores fully with one operator at a time; two copies with one thread each are a quarter faster (docs/benchmarks/rejected.md), at the cost of
 * the memory of a second copy.
 *
 * INVARIANTS
 * - A copy works on one batch at a time: the state it keeps between runs belongs to no client.
 * - Which copy recognizes a segment does not change the result. Nor do the other segments of its batch, where the model computes in floats; an 8-bit graph has one
 *   scale for all that is in a run, so its scores differ in the last digits, and a near tie may become another word.
 * - A client is notified of a segment before work on it begins.
 */
import type {
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../../../models/recognizer.js";

type Result = Hypothesis | "cancelled";

/** A copy, wherever it runs. */
export interface PooledRecognizer {
	/** Batches that it may hold at the same time; it works on one after the other. */
	readonly batchesMax: number;
	/** It has ended. */
	readonly hasEnded: boolean;
	recognizeAll(requests: readonly SegmentRequest[]): Promise<readonly Result[]>;
	close(): Promise<void>;
}

/** A user of the pool. */
export interface PoolClient {
	/** Work on these begins, as one batch. */
	onBegin(requests: readonly SegmentRequest[]): void;
	/** Its requests wait, and a copy has just been seen at work on others. A copy that hangs polls nothing, so nobody hears of it. */
	onOthersProgress(): void;
}

/** With this many waiting, a copy that will be free soon is given its next batch early: this process may be in a long inference by then and unable to hand it over. */
const manyWaiting = 24;

interface CopyState {
	readonly copy: PooledRecognizer;
	/** Given and not answered yet. */
	batches: number;
}

interface PendingRequest {
	readonly request: SegmentRequest;
	readonly client: PoolClient;
	readonly resolve: (result: Result) => void;
	readonly reject: (reason: unknown) => void;
}

export class RecognizerPool {
	/** This process's copy: its name and capabilities are those of all copies. */
	readonly own: SpeechRecognizer;
	/** This process's own copy is last: it has other work too. */
	#copies: readonly CopyState[];
	/** Oldest first. */
	#waiting: readonly PendingRequest[] = [];

	/**
	 * @param own closed by the caller that opened it.
	 * @param whenSent settles when pending messages to the other copies are sent: the own copy's work would delay them.
	 */
	constructor(own: SpeechRecognizer, whenSent = async () => {}) {
		this.own = own;
		this.#copies = [{ copy: ownCopy(own, whenSent), batches: 0 }];
	}

	/** @param copy loaded; closed with the pool. A copy that dies is dropped. */
	join(copy: PooledRecognizer): void {
		this.#copies = [{ copy, batches: 0 }, ...this.#copies];
		this.#begin();
	}

	/** @param isUrgent put before the requests that wait already: its segment has waited long enough. */
	recognize(
		request: SegmentRequest,
		client: PoolClient,
		isUrgent = false,
	): Promise<Result> {
		return new Promise((resolve, reject) => {
			const pending = { request, client, resolve, reject };
			this.#waiting = isUrgent
				? [pending, ...this.#waiting]
				: [...this.#waiting, pending];
			// further requests of this turn may join the batch
			queueMicrotask(() => this.#begin());
		});
	}

	/** Live copies besides this process's own. */
	get others(): number {
		return this.#living.length - 1;
	}

	async close(): Promise<void> {
		for (const { copy } of this.#copies) await copy.close();
	}

	#begin(): void {
		for (;;) {
			const place = this.#nextFree();
			const batch = place ? this.#nextBatch() : [];
			if (!place || batch.length === 0) return;
			void this.#run(place, batch);
		}
	}

	#nextFree(): CopyState | undefined {
		this.#copies = this.#living;
		const freeFor = (count: number) =>
			this.#copies.find(
				({ copy, batches }) => batches < Math.min(count, copy.batchesMax),
			);
		const hasBacklog = this.#waiting.length >= manyWaiting;
		return freeFor(1) ?? (hasBacklog ? freeFor(2) : undefined);
	}

	/** A copy may die while idle. */
	get #living(): readonly CopyState[] {
		return this.#copies.filter(({ copy }) => !copy.hasEnded);
	}

	#nextBatch(): readonly PendingRequest[] {
		const unwanted = this.#waiting.filter(({ request }) =>
			request.cancelled?.(),
		);
		for (const { resolve } of unwanted) resolve("cancelled");
		const waiting = this.#waiting.filter((it) => !unwanted.includes(it));
		const requests = waiting.map(({ request }) => request);
		const together = new Set(
			this.own.nextBatch?.(requests, this.others + 1) ?? requests.slice(0, 1),
		);
		this.#waiting = waiting.filter(({ request }) => !together.has(request));
		return waiting.filter(({ request }) => together.has(request));
	}

	async #run(
		place: CopyState,
		batch: readonly PendingRequest[],
	): Promise<void> {
		place.batches++;
		try {
			for (const client of new Set(batch.map((it) => it.client)))
				client.onBegin(
					batch.filter((it) => it.client === client).map((it) => it.request),
				);
			const requests = batch.map((it) => this.#watched(it.request));
			const results = await place.copy.recognizeAll(requests);
			for (const [i, { resolve }] of batch.entries())
				resolve(results[i] ?? "cancelled");
		} catch (error) {
			for (const { reject } of batch) reject(error);
		}
		place.batches--;
		this.#begin();
	}

	/** Whoever waits hears of each poll: a batch of other clients' segments may take minutes. */
	#watched(request: SegmentRequest): SegmentRequest {
		return {
			...request,
			cancelled: () => {
				for (const client of new Set(this.#waiting.map((it) => it.client)))
					client.onOthersProgress();
				return request.cancelled?.() ?? false;
			},
		};
	}
}

function ownCopy(
	own: SpeechRecognizer,
	whenSent: () => Promise<void>,
): PooledRecognizer {
	return {
		batchesMax: 1,
		hasEnded: false,
		async recognizeAll(requests) {
			await whenSent();
			return recognizeAll(own, requests);
		},
		close: async () => {},
	};
}

/** As one batch if the recognizer supports it. */
export async function recognizeAll(
	recognizer: SpeechRecognizer,
	requests: readonly SegmentRequest[],
): Promise<readonly Result[]> {
	if (recognizer.recognizeAll) return recognizer.recognizeAll(requests);
	const results: Result[] = [];
	for (const one of requests) results.push(await recognizer.recognize(one));
	return results;
}
