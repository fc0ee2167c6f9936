/**
 * Schedules many recognitions on one recognizer. Finals are decoded before the first text of a sentence, that before speculative finals, those before other
 * partials. Within each, live speech goes before whole requests, and then the recognition that has waited longest. A final that one recognition is owed aborts
 * speculative work of others.
 *
 * Finals that are due at the same time are decoded together, and so are speculative finals, and first texts of sentences: a step of the decoder for several segments
 * costs little more than one for one. Other partials are decoded one by one: what was committed before each has another length. A final that is due ends all partials,
 * at the next step or segment.
 */

import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { sampleRateHz } from "../../audio/sample-rate.js";
import type { Hypothesis, SpeechRecognizer } from "../../models/recognizer.js";
import type { Decode, Urgency } from "../../session/decode-plan.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { Language } from "../../text/languages.js";
import { identifyLanguage } from "./identified-language.js";
import { prepareLists } from "./list-preparation.js";
import { SegmentDecoder } from "./segment-decoder.js";
import { isBatchRecognizer, SharedRecognition } from "./shared-recognition.js";

/** A recognition that has segments to decode. */
export interface ScheduledRecognition {
	/** With `languageChoices` until its language is identified. */
	readonly options: RecognitionOptions;
	/** @param isSure false: it counts until more speech shows its language, and `languageChoices` stay. */
	useLanguage(language: Language, isSure: boolean): void;
	readonly finalsOwed: number;
	/** It has an open segment, so its share of the recognizer is needed. */
	readonly speaking: boolean;
	/** Nothing has been shown of its open segment yet. */
	readonly awaitsText: boolean;
	nextDecode(urgency: Urgency): Decode | undefined;
	/** Polled while the decode runs. */
	mayAbandon(decode: Decode, othersAreOwed: boolean): boolean;
	/** @param costSeconds recognizer time, scaled as if all open segments needed as much; of a first text, as if all that wait for one did. */
	settle(
		decode: Decode,
		result: Hypothesis | "cancelled",
		costSeconds: number,
	): void;
	/** Decoding failed. */
	fail(error: unknown): void;
}

interface Turn {
	readonly recognition: ScheduledRecognition;
	readonly decode: Decode;
}

/** What is decoded before what. */
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

/** More share a step at little gain, and the first one waits for the sound of all others to be encoded. */
const togetherMax = 8;
/** One decode of four is for a recognition that is not live. */
const livePassedMax = 3;

export class DecodeScheduler {
	readonly #recognizer: SpeechRecognizer;
	readonly #decoder: SegmentDecoder;
	/** The one decoded last is last. */
	#recognitions: ScheduledRecognition[] = [];
	/** Live decodes in a row while other recognitions were owed a final. */
	#livePassed = 0;
	/** By recognition, the segment that was decoded last. */
	readonly #segments = new WeakMap<
		ScheduledRecognition,
		Pick<Decode["segment"], "index" | "startSample">
	>();
	#busy = false;
	#audioSeconds = 0;
	#decodeSeconds = 0;

	/** @param beam for requests that do not set one. */
	constructor(recognizer: SpeechRecognizer, beam: number) {
		this.#recognizer = recognizer;
		this.#decoder = new SegmentDecoder(recognizer, beam);
	}

	get audioSeconds(): number {
		return this.#audioSeconds;
	}

	get decodeSeconds(): number {
		return this.#decodeSeconds;
	}

	/** Call before a recognition's first decode. */
	prepare(options: RecognitionOptions, isOver: () => boolean): Promise<void> {
		return prepareLists(this.#recognizer, options, isOver);
	}

	join(recognition: ScheduledRecognition): void {
		this.#recognitions.push(recognition);
	}

	leave(recognition: ScheduledRecognition): void {
		this.#recognitions = this.#recognitions.filter((it) => it !== recognition);
	}

	/** There may be something to decode. */
	wake(): void {
		if (this.#busy) return;
		this.#busy = true;
		void this.#run();
	}

	async #run(): Promise<void> {
		for (;;) {
			const turns = this.#pickTogether();
			if (turns.length === 0) break;
			await this.#decodeTogether(turns);
			await yieldToEventLoop(); // lets messages be read between decodes even if the recognizer never yields
		}
		this.#busy = false;
	}

	/** One decode, or those of one rank of several recognitions. */
	#pickTogether(): readonly Turn[] {
		const first = this.#pick(ranks);
		if (!first) return [];
		const turns = [first];
		const { urgency } = first.decode;
		const awaitsText = isFirstText(first);
		const isAlone = urgency === "partial" && !awaitsText;
		if (isAlone || !isBatchRecognizer(this.#recognizer)) return turns;
		while (turns.length < togetherMax) {
			const next = this.#pick([{ urgency, awaitsText }]);
			if (!next) break;
			turns.push(next);
		}
		return turns;
	}

	async #decodeTogether(turns: readonly Turn[]): Promise<void> {
		const recognizer = this.#recognizer;
		const shared =
			turns.length > 1 && isBatchRecognizer(recognizer)
				? new SharedRecognition(recognizer, turns.length)
				: undefined;
		await Promise.all(
			turns.map(async (turn) => {
				await this.#decode(turn, turns.length, shared);
				shared?.leave();
			}),
		);
	}

	#pick(wanted: readonly Rank[]): Turn | undefined {
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
	#inOrder(): readonly ScheduledRecognition[] {
		const liveFirst = this.#livePassed < livePassedMax;
		const first = this.#recognitions.filter((it) => isLive(it) === liveFirst);
		const then = this.#recognitions.filter((it) => isLive(it) !== liveFirst);
		return [...first, ...then];
	}

	#remember(recognition: ScheduledRecognition): void {
		const passed = this.#recognitions.some(
			(it) => !isLive(it) && it.finalsOwed > 0,
		);
		this.#livePassed = isLive(recognition) && passed ? this.#livePassed + 1 : 0;
	}

	/** Never rejects. @param count how many are decoded at the same time. */
	async #decode(
		turn: Turn,
		count: number,
		shared: SharedRecognition | undefined,
	): Promise<void> {
		const since = performance.now();
		const { recognition, decode } = turn;
		const sharing = isFirstText(turn) ? this.#awaiting() : this.#speaking();
		const cancelled = () =>
			recognition.mayAbandon(decode, this.#othersAreOwed(recognition));
		try {
			const isReady = await this.#isLanguageSettled(
				recognition,
				decode,
				cancelled,
			);
			const result = isReady
				? await this.#decoder.decode(
						decode,
						recognition.options,
						this.#segmentKeyOf(recognition, decode),
						cancelled,
						shared,
					)
				: "cancelled";
			const seconds = (performance.now() - since) / 1000 / count;
			this.#count(decode, result, seconds);
			recognition.settle(decode, result, seconds * Math.max(1, sharing));
		} catch (error) {
			recognition.fail(error);
		}
	}

	/** @returns false where a partial has too little speech to identify its language by. */
	async #isLanguageSettled(
		recognition: ScheduledRecognition,
		decode: Decode,
		cancelled: () => boolean,
	): Promise<boolean> {
		const { languageChoices } = recognition.options;
		if (!languageChoices || !this.#recognizer.identifyLanguage) return true;
		const found = await identifyLanguage(
			this.#recognizer,
			languageChoices,
			decode,
		);
		if (found === "too-early") return false;
		if (!found) return true;
		recognition.useLanguage(found.language, found.isSure);
		await this.prepare(recognition.options, cancelled);
		return true;
	}

	#segmentKeyOf(
		recognition: ScheduledRecognition,
		{ segment }: Decode,
	): object {
		const { index, startSample } = segment;
		const last = this.#segments.get(recognition);
		if (last?.index === index && last.startSample === startSample) return last;
		const segmentKey = { index, startSample };
		this.#segments.set(recognition, segmentKey);
		return segmentKey;
	}

	/** Partials are not counted: they use spare time, which says nothing about capacity. */
	#count(
		{ urgency, segment }: Decode,
		result: Hypothesis | "cancelled",
		seconds: number,
	): void {
		if (urgency === "partial") return;
		this.#decodeSeconds += seconds;
		if (result !== "cancelled")
			this.#audioSeconds += segment.samples.length / sampleRateHz;
	}

	#speaking(): number {
		return this.#recognitions.filter((it) => it.speaking).length;
	}

	/** Those go first, so that nobody else delays them. */
	#awaiting(): number {
		return this.#recognitions.filter((it) => it.awaitsText).length;
	}

	#othersAreOwed(recognition: ScheduledRecognition): boolean {
		return this.#recognitions.some(
			(it) => it !== recognition && it.finalsOwed > 0,
		);
	}
}

/** Somebody waits for the first word of a sentence. */
function isFirstText({ recognition, decode }: Turn): boolean {
	return decode.urgency === "partial" && recognition.awaitsText;
}

function isLive(recognition: ScheduledRecognition): boolean {
	return recognition.options.streamed ?? false;
}
