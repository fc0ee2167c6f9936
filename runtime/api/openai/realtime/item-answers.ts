/** What clients are sent about their items, in the order of the protocol and the words of the dialect; and what is measured of each. */
import { type CodedError, successStatus } from "../../../errors.js";
import type { SessionEvent } from "../../../session/events.js";
import type { RecognitionOptions } from "../../../session/options.js";
import type { MeasuredRequest } from "../../metrics/endpoints.js";
import { Item, type ItemResult, type ServerEvent } from "./item.js";
import {
	type Dialect,
	type RealtimeSettings,
	realtimeRecognitionOf,
	type SettingsSources,
} from "./settings.js";

export interface ItemAnswersParts {
	readonly sources: SettingsSources;
	readonly send: (event: ServerEvent) => void;
	/** Begins to measure an item. */
	readonly measure: () => MeasuredRequest;
	/** `performance.now()` */
	readonly nowMs: () => number;
}

const nothing: ItemResult = {
	text: "",
	words: [],
	language: undefined,
	seconds: 0,
};

export class ItemAnswers {
	readonly #parts: ItemAnswersParts;
	dialect: Dialect;
	/** The last item that was committed. */
	#lastItemId: string | null = null;

	constructor(parts: ItemAnswersParts, dialect: Dialect) {
		this.#parts = parts;
		this.dialect = dialect;
	}

	/** @param options of its recognition, where that has begun. */
	newItem(
		beginMs: number,
		settings: RealtimeSettings,
		options?: RecognitionOptions,
	): Item {
		const { sources, measure } = this.#parts;
		const { language } = options ?? realtimeRecognitionOf(settings, sources);
		return new Item(beginMs, settings, language, measure());
	}

	send(event: ServerEvent): void {
		this.#parts.send(event);
	}

	partial(
		item: Item,
		{ utterance, stable = 0, language }: SessionEvent & { is: "partial" },
	): void {
		if (language) item.deltas.useLanguage(language);
		this.delta(item, item.deltas.partial(utterance.text, stable));
	}

	/** @param delta empty: nothing is sent. */
	delta(item: Item, delta: string): void {
		if (delta === "") return;
		item.measured.text();
		this.send(item.delta(delta));
	}

	committed(item: Item): void {
		for (const event of item.committed(this.#lastItemId, this.dialect))
			this.send(event);
		this.#lastItemId = item.id;
	}

	/** @param endedAtMs when its end had arrived; undefined: nothing was said. */
	completed(item: Item, result: ItemResult, endedAtMs?: number): void {
		const { measured } = item;
		if (endedAtMs !== undefined) {
			measured.audioEnded(endedAtMs);
			measured.final();
		}
		measured.audioRecognized(result.seconds);
		measured.ended(successStatus);
		this.send(item.completed(result));
	}

	/** An item in which nothing was said. */
	empty(item: Item): void {
		this.committed(item);
		this.completed(item, nothing);
	}

	failed(item: Item, error: CodedError): void {
		this.send(item.failed(error));
		item.measured.ended(error.status);
	}

	cleared(times = 1): void {
		for (let i = 0; i < times; i++)
			this.send({ type: "input_audio_buffer.cleared" });
	}
}
