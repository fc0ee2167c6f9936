/**
 * Composes the transcript of a file from its utterances (docs/interface.md section 2.5, docs/decisions.md section 8). Utterances become sentences, a sentence
 * with two speakers is split between them, channels are merged by time, subtitles are cut into lines; then each is written with the requested options.
 *
 * INVARIANTS
 * - Segments are in order of time, numbered from 1; nothing is lost except marks that were not requested.
 * - Composing a piece blocks the event loop for some milliseconds at most, however long the file is.
 * - The same parts give the same result.
 */

import type { Channel } from "../../engine/file-job.js";
import { Slice } from "../../event-loop/slices.js";
import type { FileOptions } from "../file-options.js";
import { KeywordPlaces } from "./keyword-places.js";
import type { FileUtterance, ResultParts, ResultPiece } from "./parts.js";
import type { ResultSegment } from "./result.js";
import { ResultSegmentWriter } from "./result-segment-writer.js";
import { beginMs, type Sentence } from "./sentence.js";
import { SentenceCutter } from "./sentence-cutter.js";
import { SpeakerNumbers, SpeakerSplitter } from "./speaker-splitter.js";
import { SpeechCount } from "./statistics.js";
import { linesOf } from "./subtitle-lines.js";

/** About eight hours of speech. */
const charactersMax = 500_000;

class TranscriptText {
	readonly #lines: string[] = [];
	#characters = 0;

	get isEmpty(): boolean {
		return this.#lines.length === 0;
	}

	add({ text, skipped }: FileUtterance): void {
		if (skipped || text.trim() === "") return;
		this.#characters += text.length;
		if (this.#characters <= charactersMax) this.#lines.push(text);
	}

	whole(): string {
		return this.#lines.join("\n");
	}
}

/** Segments in one piece. */
const pieceSegments = 100;
/** Time between yields to the event loop. */
const sliceMs = 2;

export async function* composeResult(
	parts: ResultParts,
): AsyncGenerator<ResultPiece, void, void> {
	const { options, times } = parts;
	const keywords = await findKeywords(parts);
	const places = new KeywordPlaces(keywords ?? []);
	const count = new SpeechCount(options.language);
	const writer = new ResultSegmentWriter(options);
	const numbers = new SpeakerNumbers();
	const slice = new Slice(sliceMs);
	const isVoice = options.channels === 1;
	let segments: ResultSegment[] = [];
	for (const sentence of sentencesByTime(parts, places, count)) {
		const segment = writer.write(sentence);
		if (segment) {
			count.addText(segment.transcript);
			segments.push(isVoice ? numbers.renumber(segment) : segment);
		}
		if (segments.length >= pieceSegments) {
			yield { is: "segments", segments };
			segments = [];
		}
		if (slice.isOver) await slice.next();
	}
	if (segments.length > 0) yield { is: "segments", segments };
	const found = keywords && places.found();
	yield { is: "statistics", statistics: count.statistics(times, found) };
}

/** Lines of subtitles if requested, else sentences; of all channels. */
function* sentencesByTime(
	{ options, channels, turns }: ResultParts,
	places: KeywordPlaces,
	count: SpeechCount,
): Generator<Sentence> {
	const { language } = options;
	const splitter =
		turns.length > 0 ? new SpeakerSplitter(turns, language) : undefined;
	function* ofChannel(
		utterances: Iterable<FileUtterance>,
		channel: Channel,
	): Generator<Sentence> {
		const cutter = new SentenceCutter(channel, options);
		for (const utterance of utterances) {
			count.addSpeech(utterance);
			yield* inTurn(cutter.accept(utterance), channel);
		}
		yield* inTurn(cutter.finish(), channel);
	}
	function inTurn(group: readonly Sentence[], channel: Channel): Sentence[] {
		return group
			.flatMap((it) => written(it, channel))
			.sort((a, b) => beginMs(a) - beginMs(b));
	}
	function written(sentence: Sentence, channel: Channel): Sentence[] {
		if (sentence.understood === false)
			return [
				options.channels === 2 ? { ...sentence, speaker: channel } : sentence,
			];
		const marked = places.mark(sentence);
		const bySpeaker = options.channels === 2 ? undefined : splitter;
		const parts = bySpeaker?.split(marked) ?? [
			withSpeaker(marked, options.channels, options.clusters),
		];
		const shown =
			options.output === "subtitle"
				? parts.flatMap((it) => linesOf(it, options))
				: parts;
		return bySpeaker ? shown.map((it) => bySpeaker.withOthers(it)) : shown;
	}
	yield* inOrder(
		channels.map((utterances, i) => ofChannel(utterances, (i + 1) as Channel)),
		beginMs,
	);
}

/** The speaker without diarization: the channel of two, or the single speaker of `clusters: 1`. */
function withSpeaker(
	sentence: Sentence,
	channels: 1 | 2,
	clusters: number | undefined,
): Sentence {
	if (channels === 2) return { ...sentence, speaker: sentence.channel };
	return clusters === undefined ? sentence : { ...sentence, speaker: 1 };
}

/** @returns undefined where none were requested. */
async function findKeywords({
	options,
	channels,
	keywords,
}: ResultParts): Promise<readonly string[] | undefined> {
	if (!keywordsServed(options)) return undefined;
	const text = new TranscriptText();
	const slice = new Slice(sliceMs);
	for (const utterances of channels)
		for (const utterance of utterances) {
			text.add(utterance);
			if (slice.isOver) await slice.next();
		}
	if (text.isEmpty) return [];
	return keywords.find(
		text.whole(),
		options.language,
		options.keywordsQuantity,
	);
}

/** Merges sorted sequences; equal items keep the order of the sequences. */
function* inOrder<T>(
	sequences: readonly Iterable<T>[],
	keyOf: (item: T) => number,
): Generator<T> {
	const heads = sequences
		.map((sequence) => sequence[Symbol.iterator]())
		.map((rest) => ({ rest, next: rest.next() }));
	try {
		for (;;) {
			let first: (typeof heads)[number] | undefined;
			for (const head of heads)
				if (!head.next.done)
					if (!first || keyOf(head.next.value) < keyOf(first.next.value))
						first = head;
			if (!first) return;
			yield first.next.value;
			first.next = first.rest.next();
		}
	} finally {
		for (const { rest } of heads) rest.return?.();
	}
}

/**
 * Where keyword extraction is available (docs/interface.md section 4.4, docs/decisions.md section 11): for Mandarin in both variants; VIP also extracts
 * keywords in the mixed languages and, beyond the specification, in Japanese and English.
 */
function keywordsServed({
	keywordsQuantity,
	variant,
	language,
}: Pick<FileOptions, "keywordsQuantity" | "variant" | "language">): boolean {
	if (keywordsQuantity === 0) return false;
	return variant === "vip" || language === "zh-cmn-Hans-CN";
}
