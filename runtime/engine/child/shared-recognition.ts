/**
 * Several decodes that are due at the same time, on one recognizer: the requests that they make are recognized together, at a lower cost for each. Each decode is
 * written as if it were alone and may make several requests, one after the other; once all decodes under way wait for one, they are recognized as batches.
 *
 * INVARIANT: a decode that ends, or fails, calls `leave`: the others would wait for it for ever.
 */
import type {
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../../models/recognizer.js";

type Result = Hypothesis | "cancelled";

interface Pending {
	readonly request: SegmentRequest;
	readonly resolve: (result: Result) => void;
	readonly reject: (reason: unknown) => void;
}

/** A recognizer that takes several segments at once. */
export type BatchRecognizer = SpeechRecognizer &
	Required<Pick<SpeechRecognizer, "nextBatch" | "recognizeAll">>;

export function isBatchRecognizer(
	recognizer: SpeechRecognizer,
): recognizer is BatchRecognizer {
	return !!recognizer.nextBatch && !!recognizer.recognizeAll;
}

export class SharedRecognition {
	readonly #recognizer: BatchRecognizer;
	/** Decodes that may still make requests. */
	#active: number;
	#pending: Pending[] = [];

	/** @param decodes that take part, each of which calls `leave` at its end. */
	constructor(recognizer: BatchRecognizer, decodes: number) {
		this.#recognizer = recognizer;
		this.#active = decodes;
	}

	recognize(request: SegmentRequest): Promise<Result> {
		return new Promise((resolve, reject) => {
			this.#pending.push({ request, resolve, reject });
			this.#recognizeIfAllWait();
		});
	}

	leave(): void {
		this.#active--;
		this.#recognizeIfAllWait();
	}

	#recognizeIfAllWait(): void {
		if (this.#pending.length === 0 || this.#pending.length < this.#active)
			return;
		const pending = this.#pending;
		this.#pending = [];
		void this.#recognizeAll(pending);
	}

	/** Batch by batch, since not all requests fit together. */
	async #recognizeAll(pending: readonly Pending[]): Promise<void> {
		let waiting = pending;
		while (waiting.length > 0) {
			const requests = waiting.map(({ request }) => request);
			const together = new Set(this.#recognizer.nextBatch(requests, 1));
			const batch = waiting.filter(({ request }) => together.has(request));
			waiting = waiting.filter((it) => !batch.includes(it));
			await this.#recognizeBatch(batch);
		}
	}

	async #recognizeBatch(batch: readonly Pending[]): Promise<void> {
		try {
			const results = await this.#recognizer.recognizeAll(
				batch.map(({ request }) => request),
			);
			for (const [i, { resolve }] of batch.entries())
				resolve(results[i] ?? "cancelled");
		} catch {
			// which one it was is seen when each is alone
			for (const { request, resolve, reject } of batch)
				await this.#recognizer.recognize(request).then(resolve, reject);
		}
	}
}
