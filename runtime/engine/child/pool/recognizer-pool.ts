/**
 * Several copies of one recognizer at work on files: who is free takes, of what waits, the oldest and what goes well with it. A model this small does not
 * fill two cores with one operator at a time; two copies of one thread each do a quarter more (docs/benchmarks/rejected.md), for the memory of a second copy.
 *
 * INVARIANTS
 * - A copy hears one batch at a time, whoever asks: what it keeps between runs is nobody's.
 * - Which copy hears a segment, and beside which others, changes nothing in what it hears.
 * - Who asks is told of a segment before work on it begins.
 */
import type {
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../../../models/recognizer.js";

type Result = Hypothesis | "cancelled";

/** A copy, wherever it runs. */
export interface PooledRecognizer {
	/** Batches that it may be asked for at the same time: it hears them one after the other. */
	readonly batchesMax: number;
	/** It hears nothing any more. */
	readonly isGone: boolean;
	recognizeAll(requests: readonly SegmentRequest[]): Promise<readonly Result[]>;
	close(): Promise<void>;
}

/** Who asks. */
export interface PoolClient {
	/** Work on these begins, on all of them in one batch. */
	onBegin(requests: readonly SegmentRequest[]): void;
}

/** While so many wait, who will be free soon is given its next batch already: this process may be in a long inference then, and hand over nothing. */
const manyWaiting = 24;

interface CopyState {
	readonly copy: PooledRecognizer;
	/** That it was given and has not answered. */
	batches: number;
}

interface PendingRequest {
	readonly request: SegmentRequest;
	readonly client: PoolClient;
	readonly resolve: (result: Result) => void;
	readonly reject: (reason: unknown) => void;
}

export class RecognizerPool {
	/** The copy of this process: what it is called and can do, all can. */
	readonly own: SpeechRecognizer;
	/** This process' own copy is the last: it has other work too. */
	#copies: readonly CopyState[];
	/** Oldest first. */
	#waiting: readonly PendingRequest[] = [];

	/**
	 * @param own closed by whoever opened it.
	 * @param whenSent settles when what is on its way to the others has left: the own copy's work keeps it waiting.
	 */
	constructor(own: SpeechRecognizer, whenSent = async () => {}) {
		this.own = own;
		this.#copies = [{ copy: ownCopy(own, whenSent), batches: 0 }];
	}

	/** @param copy that is loaded; closed with the pool. One that dies leaves it. */
	join(copy: PooledRecognizer): void {
		this.#copies = [{ copy, batches: 0 }, ...this.#copies];
		this.#begin();
	}

	/** @param isUrgent it goes before what waits already: somebody has waited long enough. */
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
			// what else is asked for in this turn may go with it
			queueMicrotask(() => this.#begin());
		});
	}

	/** Copies beside this process' own that live. */
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
		const mayHave = (count: number) =>
			this.#copies.find(
				({ copy, batches }) => batches < Math.min(count, copy.batchesMax),
			);
		const isMuch = this.#waiting.length >= manyWaiting;
		return mayHave(1) ?? (isMuch ? mayHave(2) : undefined);
	}

	/** One may die at rest. */
	get #living(): readonly CopyState[] {
		return this.#copies.filter(({ copy }) => !copy.isGone);
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
			const requests = batch.map((it) => it.request);
			const results = await place.copy.recognizeAll(requests);
			for (const [i, { resolve }] of batch.entries())
				resolve(results[i] ?? "cancelled");
		} catch (error) {
			for (const { reject } of batch) reject(error);
		}
		place.batches--;
		this.#begin();
	}
}

function ownCopy(
	own: SpeechRecognizer,
	whenSent: () => Promise<void>,
): PooledRecognizer {
	return {
		batchesMax: 1,
		isGone: false,
		async recognizeAll(requests) {
			await whenSent();
			return recognizeAll(own, requests);
		},
		close: async () => {},
	};
}

/** Together where it can. */
export async function recognizeAll(
	recognizer: SpeechRecognizer,
	requests: readonly SegmentRequest[],
): Promise<readonly Result[]> {
	if (recognizer.recognizeAll) return recognizer.recognizeAll(requests);
	const results: Result[] = [];
	for (const one of requests) results.push(await recognizer.recognize(one));
	return results;
}
