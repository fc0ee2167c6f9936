/**
 * Several copies of one recognizer at work on one file: each takes the next batch as soon as it is done with its last. A model this small does not fill
 * two cores with one operator at a time; two copies of one thread each do a quarter more (BENCHMARKS.md), for the memory of a second copy.
 *
 * INVARIANTS
 * - A copy is asked for one thing at a time, whoever asks: what it keeps between runs is nobody's.
 * - Which copy hears a segment, and beside which others, changes nothing in what it hears.
 */
import type {
	Capabilities,
	HotwordOptions,
	Hypothesis,
	Language,
	SegmentRequest,
	SpeechRecognizer,
} from "../../../models/recognizer.js";

type Result = Hypothesis | "cancelled";

/** A copy, wherever it runs. */
export interface PooledRecognizer {
	/** It hears nothing any more. */
	readonly isGone: boolean;
	recognizeAll(requests: readonly SegmentRequest[]): Promise<readonly Result[]>;
	close(): Promise<void>;
}

interface Batch {
	readonly requests: readonly SegmentRequest[];
	readonly resolve: (results: readonly Result[]) => void;
	readonly reject: (reason: unknown) => void;
}

export class RecognizerPool implements SpeechRecognizer {
	readonly #own: SpeechRecognizer;
	#others: readonly PooledRecognizer[] = [];
	#idle: PooledRecognizer[];
	#waiting: Batch[] = [];

	/** @param own the copy on this thread; closed by whoever opened it. */
	constructor(own: SpeechRecognizer) {
		this.#own = own;
		this.#idle = [ownCopy(own)];
	}

	/** @param copy that is loaded; closed with the pool. One that dies leaves it. */
	join(copy: PooledRecognizer): void {
		this.#others = [...this.#others, copy];
		// first: this thread has other work too
		this.#idle = [copy, ...this.#idle];
		this.#begin();
	}

	get name(): string {
		return this.#own.name;
	}

	get languages(): readonly Language[] {
		return this.#own.languages;
	}

	get capabilities(): Capabilities {
		return this.#own.capabilities;
	}

	preparing(hotwords: HotwordOptions, language: Language): Iterable<void> {
		return this.#own.preparing?.(hotwords, language) ?? [];
	}

	async recognize(request: SegmentRequest): Promise<Result> {
		const [result = "cancelled"] = await this.#hear([request]);
		return result;
	}

	async recognizeAll(
		requests: readonly SegmentRequest[],
	): Promise<readonly Result[]> {
		const batches =
			this.#own.batches?.(requests, this.others + 1) ??
			requests.map((it) => [it]);
		const found = new Map<SegmentRequest, Result>();
		await Promise.all(
			batches.map(async (batch) => {
				const results = await this.#hear(batch);
				batch.forEach((request, i) => {
					found.set(request, results[i] ?? "cancelled");
				});
			}),
		);
		return requests.map((it) => found.get(it) ?? "cancelled");
	}

	/** Copies beside this thread's own that live. */
	get others(): number {
		return this.#others.filter((it) => !it.isGone).length;
	}

	async close(): Promise<void> {
		for (const other of this.#others) await other.close();
	}

	#hear(requests: readonly SegmentRequest[]): Promise<readonly Result[]> {
		return new Promise((resolve, reject) => {
			this.#waiting.push({ requests, resolve, reject });
			this.#begin();
		});
	}

	#begin(): void {
		const batch = this.#waiting[0];
		this.#idle = this.#idle.filter((it) => !it.isGone); // one may die at rest
		const copy = this.#idle[0];
		if (!batch || !copy) return;
		this.#waiting = this.#waiting.slice(1);
		this.#idle = this.#idle.slice(1);
		void this.#run(copy, batch);
		this.#begin();
	}

	async #run(copy: PooledRecognizer, batch: Batch): Promise<void> {
		try {
			batch.resolve(await copy.recognizeAll(batch.requests));
		} catch (error) {
			batch.reject(error);
		}
		if (copy.isGone) this.#others = this.#others.filter((it) => it !== copy);
		else this.#idle = [...this.#idle, copy];
		this.#begin();
	}
}

function ownCopy(own: SpeechRecognizer): PooledRecognizer {
	return {
		isGone: false,
		async recognizeAll(requests) {
			if (own.recognizeAll) return own.recognizeAll(requests);
			const results: Result[] = [];
			for (const one of requests) results.push(await own.recognize(one));
			return results;
		},
		close: async () => {},
	};
}
