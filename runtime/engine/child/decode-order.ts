/**
 * What is decoded before what, of many recognitions on one recognizer. Finals are decoded before the first text of a sentence, that before speculative finals, those
 * before other partials. Within each, live speech goes before whole requests, and then the recognition that has waited longest.
 *
 * Finals that are due at the same time are decoded together, and so are speculative finals, and first texts of sentences: a step of the decoder for several segments
 * costs little more than one for one. Other partials are decoded one by one: what was committed before each has another length.
 */
import type { Decode, Urgency } from "../../session/decode-plan.js";
import type { RecognitionOptions } from "../../session/options.js";

/** What the order depends on. */
export interface OrderedRecognition {
	readonly options: Pick<RecognitionOptions, "streamed">;
	readonly finalsOwed: number;
	/** It has an open segment, so its share of the recognizer is needed. */
	readonly speaking: boolean;
	/** Nothing has been shown of its open segment yet. */
	readonly awaitsText: boolean;
	nextDecode(urgency: Urgency): Decode | undefined;
}

export interface Turn<R extends OrderedRecognition> {
	readonly recognition: R;
	readonly decode: Decode;
}

interface Rank {
	readonly urgency: Urgency;
	/** Only of recognitions that show nothing of what is being said: somebody waits for the first word, and nobody for a pause that may not last. */
	readonly awaitsText?: boolean;
}

const ranks: readonly Rank[] = [
	{ urgency: "final" },
	{ urgency: "partial", awaitsText: true },
	{ urgency: "speculative" },
	{ urgency: "partial" },
];

/** One decode of four is for a recognition that is not live. */
const livePassedMax = 3;

export class DecodeOrder<R extends OrderedRecognition> {
	/** The one decoded last is last. */
	#recognitions: R[] = [];
	/** Live decodes in a row while other recognitions were owed a final. */
	#livePassed = 0;

	join(recognition: R): void {
		this.#recognitions.push(recognition);
	}

	leave(recognition: R): void {
		this.#recognitions = this.#recognitions.filter((it) => it !== recognition);
	}

	/** One decode, or those of one rank of several recognitions. @param most of them. */
	take(most: number): readonly Turn<R>[] {
		const first = this.#pick(ranks);
		if (!first) return [];
		const turns = [first];
		const { urgency } = first.decode;
		const awaitsText = isFirstText(first);
		if (urgency === "partial" && !awaitsText) return turns;
		while (turns.length < most) {
			const next = this.#pick([{ urgency, awaitsText }]);
			if (!next) break;
			turns.push(next);
		}
		return turns;
	}

	/** How many need the recognizer as the turn does: all that wait for a first text, which go first, so that nobody else delays them, or all that speak. */
	sharing(turn: Turn<R>): number {
		const isFirst = isFirstText(turn);
		return this.#recognitions.filter((it) =>
			isFirst ? it.awaitsText : it.speaking,
		).length;
	}

	/** Others than this one wait for a final. */
	othersAreOwed(recognition: R): boolean {
		return this.#recognitions.some(
			(it) => it !== recognition && it.finalsOwed > 0,
		);
	}

	/** Those that wait for a final, or are given it now. */
	get owed(): readonly R[] {
		return this.#recognitions.filter((it) => it.finalsOwed > 0);
	}

	#pick(wanted: readonly Rank[]): Turn<R> | undefined {
		for (const { urgency, awaitsText = false } of wanted)
			for (const recognition of this.#inOrder()) {
				if (awaitsText && !recognition.awaitsText) continue;
				const decode = recognition.nextDecode(urgency);
				if (!decode) continue;
				this.leave(recognition);
				this.join(recognition);
				this.#remember(recognition);
				return { recognition, decode };
			}
		return undefined;
	}

	/** Live recognitions first, except that after `livePassedMax` of them a whole request gets its turn. */
	#inOrder(): readonly R[] {
		const liveFirst = this.#livePassed < livePassedMax;
		const first = this.#recognitions.filter((it) => isLive(it) === liveFirst);
		const then = this.#recognitions.filter((it) => isLive(it) !== liveFirst);
		return [...first, ...then];
	}

	#remember(recognition: R): void {
		const passed = this.#recognitions.some(
			(it) => !isLive(it) && it.finalsOwed > 0,
		);
		this.#livePassed = isLive(recognition) && passed ? this.#livePassed + 1 : 0;
	}
}

/** Somebody waits for the first word of a sentence. */
function isFirstText({
	recognition,
	decode,
}: Turn<OrderedRecognition>): boolean {
	return decode.urgency === "partial" && recognition.awaitsText;
}

function isLive(recognition: OrderedRecognition): boolean {
	return recognition.options.streamed ?? false;
}
