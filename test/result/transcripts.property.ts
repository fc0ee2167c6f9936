/** What holds of every transcript, whatever was recognized. */
import assert from "node:assert/strict";
import type { Turn } from "../../runtime/engine/file-job.js";
import type { FileOptions } from "../../runtime/tasks/file-options.js";
import type { FileUtterance } from "../../runtime/tasks/result/parts.js";
import type { ResultSegment } from "../../runtime/tasks/result/result.js";
import { timeCodeMs } from "../../runtime/tasks/result/time-code.js";
import { isMark } from "../../runtime/text/marks.js";
import { textColumns } from "../../runtime/text/text-width.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random } from "../fuzz/random.js";
import { languages, randomUtterances } from "./random-speech.js";
import { compose, optionsOf } from "./utterances.js";

const columnsMax = 42;
const lineMsMax = 7000;

interface Case {
	readonly options: FileOptions;
	readonly channels: readonly (readonly FileUtterance[])[];
	readonly turns: readonly Turn[];
}

export const transcriptsAreWhole = (): Property<Case> => ({
	name: "result/transcripts",
	promise:
		"a transcript holds every letter in its order, its segments go forward, lines fit, and words stand in their place",
	draw(random) {
		const options = someOptions(random);
		const channels = Array.from({ length: options.channels }, () =>
			randomUtterances(random, options.language, 1 + below(random, 8)),
		);
		const lastMs = Math.max(...channels.flat().map((it) => it.endMs));
		const turns = options.clusters === 0 ? someTurns(random, lastMs) : [];
		return { options, channels, turns };
	},
	async check({ options, channels, turns }) {
		const { segments } = await compose(options, channels, turns);
		checkLetters(options, channels, segments);
		checkOrder(options, segments);
		if (options.output === "subtitle") checkLines(segments);
		for (const segment of segments) checkWords(options, segment);
	},
});

/** Those of two channels stand in the order of their time. */
function checkLetters(
	options: FileOptions,
	channels: Case["channels"],
	segments: readonly ResultSegment[],
): void {
	if (options.channels === 2) return;
	const compare = options.punctuation ? unspaced : letters;
	const spoken = channels.flat().map((it) => it.text);
	const composed = segments.map((it) => it.transcript);
	assert.equal(compare(composed.join("")), compare(spoken.join("")));
}

function checkOrder(
	options: FileOptions,
	segments: readonly ResultSegment[],
): void {
	let endMs = 0; // of what has a text
	let beginMs = 0;
	let paragraph = 1;
	for (const [i, segment] of segments.entries()) {
		assert.equal(segment.seg_num, i + 1);
		if (segment.understood === false) assert.ok(options.words);
		else assert.notEqual(segment.transcript, "");
		assert.equal(segment.transcript, segment.transcript.trim());
		const hasText = segment.understood !== false;
		const after = options.channels === 2 || !hasText ? beginMs : endMs;
		beginMs = timeCodeMs(segment.begin);
		assert.ok(beginMs >= after, `${i}: goes forward`);
		assert.ok(timeCodeMs(segment.end) >= beginMs, `${i}: ends after it begins`);
		if (hasText) endMs = timeCodeMs(segment.end);
		const further = segment.paragraph - paragraph;
		assert.ok(further === 0 || further === 1, `${i}: the next paragraph`);
		paragraph = segment.paragraph;
		assert.ok(segment.confidence >= 0 && segment.confidence <= 1);
	}
}

function checkLines(segments: readonly ResultSegment[]): void {
	for (const { transcript, begin, end } of segments) {
		assert.ok(textColumns(transcript) <= columnsMax, transcript);
		assert.ok(timeCodeMs(end) - timeCodeMs(begin) <= lineMsMax, transcript);
	}
}

function checkWords(options: FileOptions, segment: ResultSegment): void {
	if (!options.words) {
		assert.ok(!segment.words, "nobody asked for words");
		return;
	}
	const words = segment.words ?? [];
	const text = words.map((it) => it.word).join("");
	assert.equal(unspaced(text), unspaced(segment.transcript));
	let clockMs = timeCodeMs(segment.begin);
	for (const { word, type, start_time, end_time } of words) {
		assert.ok(start_time >= clockMs && end_time >= start_time, word);
		assert.ok(end_time <= timeCodeMs(segment.end), `${word}: in its segment`);
		if (!options.punctuation) assert.notEqual(type, "punc", word);
		clockMs = start_time;
	}
}

function letters(text: string): string {
	return [...text].filter((it) => !/\s/u.test(it) && !isMark(it)).join("");
}

function unspaced(text: string): string {
	return text.replace(/\s+/gu, "");
}

function someOptions(random: Random): FileOptions {
	const output = pick(random, ["text", "subtitle"] as const);
	return optionsOf(pick(random, languages), {
		output,
		punctuation: random() < 0.5,
		words: random() < 0.5,
		wordsType: pick(random, [0, 1] as const),
		channels: pick(random, [1, 1, 2] as const),
		langLabel: random() < 0.5,
		...(random() < 0.5 && { clusters: 0 }),
		...(random() < 0.5 && { paragraphCondition: 100 }),
	});
}

function someTurns(random: Random, untilMs: number): Turn[] {
	const turns: Turn[] = [];
	for (let at = 0; at < untilMs; ) {
		const startMs = at + below(random, 300);
		at = startMs + 200 + below(random, 6000);
		turns.push({ startMs, endMs: at, speaker: 1 + below(random, 3) });
	}
	return turns;
}
