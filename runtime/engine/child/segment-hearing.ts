/**
 * Segments of a file recognised together, and again in pieces where their words leave speech out (session/unheard.ts).
 */
import assert from "node:assert";
import type {
	SegmentRequest,
	SpeechRecognizer,
} from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";
import { type Part, saysMore, unheardPieces } from "../../session/unheard.js";

export class SegmentHearing {
	readonly #recognizer: SpeechRecognizer;
	readonly #requestOf: (segment: Segment) => SegmentRequest;
	readonly #signal: AbortSignal;

	/** @param requestOf cancelled by the signal, and by nothing else. */
	constructor(
		recognizer: SpeechRecognizer,
		requestOf: (segment: Segment) => SegmentRequest,
		signal: AbortSignal,
	) {
		this.#recognizer = recognizer;
		this.#requestOf = requestOf;
		this.#signal = signal;
	}

	/** @returns of each segment what it was heard as: one part, or pieces. @throws the signal's reason */
	async hear(segments: readonly Segment[]): Promise<(readonly Part[])[]> {
		const wholes = await this.#recognize(segments);
		const doubtful = wholes
			.map((whole) => ({
				whole,
				pieces: unheardPieces(whole.segment, whole.hypothesis),
			}))
			.filter(({ pieces }) => pieces.length > 0);
		const heard = await this.#recognize(doubtful.flatMap((it) => it.pieces));
		const better = new Map<Part, readonly Part[]>();
		for (const { whole, pieces } of doubtful) {
			const own = heard.splice(0, pieces.length);
			const texts = own.map((it) => it.hypothesis);
			if (saysMore(texts, whole.hypothesis)) better.set(whole, own);
		}
		return wholes.map((whole) => better.get(whole) ?? [whole]);
	}

	async #recognize(segments: readonly Segment[]): Promise<Part[]> {
		if (segments.length === 0) return [];
		const requests = segments.map((it) => this.#requestOf(it));
		const results = this.#recognizer.recognizeAll
			? await this.#recognizer.recognizeAll(requests)
			: await oneAfterTheOther(requests, (it) =>
					this.#recognizer.recognize(it),
				);
		this.#signal.throwIfAborted();
		return segments.map((segment, i) => {
			const hypothesis = results[i];
			assert(hypothesis && hypothesis !== "cancelled");
			return { segment, hypothesis };
		});
	}
}

async function oneAfterTheOther<In, Out>(
	items: readonly In[],
	work: (item: In) => Promise<Out>,
): Promise<Out[]> {
	const results: Out[] = [];
	for (const item of items) results.push(await work(item));
	return results;
}
