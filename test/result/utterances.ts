/** What an engine would have recognized: texts with words that sound one after the other, and a composer's whole answer. */

import type { Turn } from "../../runtime/engine/file-job.js";
import type { Word } from "../../runtime/session/events.js";
import { switchedOff } from "../../runtime/session/options.js";
import type { FileOptions } from "../../runtime/tasks/file-options.js";
import { composeResult } from "../../runtime/tasks/result/compose.js";
import type {
	FileUtterance,
	ResultKeywordSource,
} from "../../runtime/tasks/result/parts.js";
import type {
	ResultSegment,
	Statistics,
} from "../../runtime/tasks/result/result.js";
import type { Language } from "../../runtime/text/languages.js";
import { isMark } from "../../runtime/text/marks.js";

export function optionsOf(
	language: Language,
	rest: Partial<FileOptions> = {},
): FileOptions {
	return {
		variant: "standard",
		language,
		format: "wav",
		sampleRateHz: 16000,
		channels: 1,
		gain: 1,
		output: "text",
		maxSentenceSilenceMs: 800,
		...switchedOff,
		punctuation: rest.output !== "subtitle",
		inverseTextNormalization: true,
		wordsType: 0,
		keywordsQuantity: 0,
		langLabel: false,
		hotwordsWeight: 0.4,
		...rest,
	};
}

const segmenters = {
	zh: new Intl.Segmenter("zh-Hans", { granularity: "word" }),
	ja: new Intl.Segmenter("ja", { granularity: "word" }),
};

/** @param msPerCharacter how long each letter sounds. */
export function utteranceOf(
	text: string,
	language: Language,
	beginMs = 0,
	msPerCharacter = language === "en-US" ? 60 : 150,
): FileUtterance {
	const words: Word[] = [];
	let atMs = beginMs;
	for (const piece of piecesOf(text, language)) {
		const isPunc = [...piece].every(isMark);
		const startMs = atMs;
		if (!isPunc) atMs += piece.length * msPerCharacter;
		words.push({
			text: piece,
			startMs,
			endMs: atMs,
			kind: isPunc ? "punc" : "normal",
			confidence: 0.9,
		});
	}
	return { index: 1, beginMs, endMs: atMs, text, confidence: 0.8, words };
}

function piecesOf(text: string, language: Language): string[] {
	if (language === "en-US")
		return (
			text.match(
				/[\p{L}\p{N}]+(?:['’.,:-][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]+/gu,
			) ?? []
		);
	const segmenter = language.startsWith("ja") ? segmenters.ja : segmenters.zh;
	return [...segmenter.segment(text)]
		.map((it) => it.segment.trim())
		.filter((it) => it !== "");
}

const noKeywords: ResultKeywordSource = {
	find: async () => {
		throw new Error("nobody asked for keywords");
	},
};

export interface Composed {
	readonly segments: ResultSegment[];
	readonly statistics: Statistics;
	/** Longest time between two pieces. */
	readonly texts: string[];
}

export async function compose(
	options: FileOptions,
	channels: readonly (readonly FileUtterance[])[],
	turns: readonly Turn[] = [],
	keywords: ResultKeywordSource = noKeywords,
): Promise<Composed> {
	const segments: ResultSegment[] = [];
	let statistics: Statistics | undefined;
	const times = {
		insert_time: "2026-11-21 08:00:00",
		process_time: "2026-11-21 08:00:01",
		finish_time: "2026-11-21 08:00:02",
	};
	for await (const piece of composeResult({
		options,
		channels,
		turns,
		times,
		keywords,
	}))
		if (piece.is === "segments") segments.push(...piece.segments);
		else statistics = piece.statistics;
	if (!statistics) throw new Error("no statistics");
	return { segments, statistics, texts: segments.map((it) => it.transcript) };
}
