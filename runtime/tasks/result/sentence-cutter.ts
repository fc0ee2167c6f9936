/**
 * Sentences of one channel, from its utterances. An utterance lies between two silences: it may contain several sentences, and where speech is longer than a
 * segment may be, a sentence continues in the next one.
 *
 * INVARIANTS
 * - What was cut never changes, whatever follows.
 * - Every character of an utterance is in one sentence (spaces between sentences in none); words cover everything but spaces.
 * - In one channel no word begins before the previous one has ended.
 */
import type { Channel } from "../../engine/file-job.js";
import { joinTexts } from "../../session/join-text.js";
import { placeWords } from "../../session/writing.js";
import type { PlacedWord } from "../../text/edits.js";
import { isSpaced, type Language, pairOf } from "../../text/languages.js";
import { isMark } from "../../text/marks.js";
import type { FileOptions } from "../file-options.js";
import type { FileUtterance } from "./parts.js";
import { beginMs, endMs, partOf, type Sentence } from "./sentence.js";
import { sentenceEnds } from "./sentence-ends.js";
import { timedWords } from "./timed-words.js";

/** A shorter silence between two utterances is not a pause: the recognizer's segment was full. */
const seamMsMax = 150;
/** A sentence that nothing else ends is ended after this. */
const sentenceMsMax = 60_000;

/** Sentences come in groups: speech without text that lies within an utterance is in one group with its sentences, behind them. */
export class SentenceCutter {
	readonly #channel: Channel;
	readonly #language: Language;
	/** Speech without text becomes a separate sentence. */
	readonly #includesUnrecognized: boolean;
	/** The next utterance may continue it. */
	#open: Sentence | undefined;
	#group: Sentence[] = [];
	#groupStartMs = 0; // what was returned has ended by then
	#clockMs = 0;

	constructor(
		channel: Channel,
		{
			language,
			words,
			output,
		}: Pick<FileOptions, "language" | "words" | "output">,
	) {
		this.#channel = channel;
		this.#language = language;
		this.#includesUnrecognized = words && output === "text";
	}

	/** @param utterance the next one. @returns the group that it shows to be complete, perhaps empty. */
	accept(utterance: FileUtterance): readonly Sentence[] {
		return utterance.skipped || utterance.text.trim() === ""
			? this.#acceptUnrecognized(utterance)
			: this.#acceptText(utterance);
	}

	/** Sentences of the group that is not complete: no text continues them any more, but speech without text may come behind them. */
	get closed(): readonly Sentence[] {
		return this.#group;
	}

	/** @returns the last group. */
	finish(): readonly Sentence[] {
		this.#close();
		return this.#takeGroup();
	}

	#acceptText(utterance: FileUtterance): readonly Sentence[] {
		const complete = this.#takeGroup();
		const words = forward(wordsOf(utterance), this.#clockMs);
		this.#clockMs = words.at(-1)?.endMs ?? this.#clockMs;
		const language = this.#language;
		for (const sentence of split(utterance, words, this.#channel, language)) {
			if (this.#open && goesOn(this.#open, sentence, language)) {
				this.#open = joined(this.#open, sentence, language);
				continue;
			}
			this.#close();
			this.#open = sentence;
		}
		return complete;
	}

	#acceptUnrecognized(utterance: FileUtterance): readonly Sentence[] {
		const isSpeech = utterance.skipped || utterance.unheard;
		if (!this.#includesUnrecognized || !isSpeech) return [];
		this.#close();
		const complete =
			utterance.beginMs >= this.#clockMs ? this.#takeGroup() : [];
		const unrecognized = notUnderstood(
			utterance,
			this.#channel,
			this.#groupStartMs,
		);
		this.#clockMs = Math.max(this.#clockMs, endMs(unrecognized));
		this.#group.push(unrecognized);
		return complete;
	}

	#close(): void {
		if (this.#open) this.#group.push(this.#open);
		this.#open = undefined;
	}

	#takeGroup(): readonly Sentence[] {
		const group = this.#group;
		this.#group = [];
		this.#groupStartMs = this.#clockMs;
		return group;
	}
}

/** A sentence with one empty word, which carries its time. */
function notUnderstood(
	{ beginMs, endMs }: FileUtterance,
	channel: Channel,
	fromMs: number,
): Sentence {
	const place = { from: 0, to: 0, startMs: beginMs, endMs };
	const words = forward([{ ...place, kind: "normal", confidence: 0 }], fromMs);
	const nothing = { channel, text: "", words, confidence: 0 };
	return { ...nothing, begins: false, understood: false };
}

/** The recognizer's words where they cover the text, else words with a share of the time. */
function wordsOf(utterance: FileUtterance): readonly PlacedWord[] {
	const placed = placeWords(utterance.text, utterance.words);
	return covers(utterance.text, placed) ? placed : timedWords(utterance);
}

function covers(text: string, words: readonly PlacedWord[]): boolean {
	let at = 0;
	for (const { from, to } of words) {
		if (text.slice(at, from).trim() !== "") return false;
		at = to;
	}
	return text.slice(at).trim() === "";
}

function forward(words: readonly PlacedWord[], fromMs: number): PlacedWord[] {
	let clockMs = fromMs;
	return words.map((word) => {
		const startMs = Math.max(Math.round(word.startMs), clockMs);
		clockMs = Math.max(Math.round(word.endMs), startMs);
		return { ...word, startMs, endMs: clockMs };
	});
}

function split(
	utterance: FileUtterance,
	words: readonly PlacedWord[],
	channel: Channel,
	language: Language,
): Sentence[] {
	const { text, confidence } = utterance;
	const whole = { channel, text, words, confidence, begins: true };
	const overall = meanConfidence(words);
	const sentences: Sentence[] = [];
	let first = 0;
	for (const end of sentenceEnds(text, words, language)) {
		const inside = words.slice(first, end);
		const from = inside[0]?.from ?? 0;
		const to = inside.at(-1)?.to ?? 0;
		// the utterance's confidence is calibrated; the words' confidence distributes it over the sentences
		const share = overall > 0 ? meanConfidence(inside) / overall : 1;
		sentences.push({
			...whole,
			...partOf(whole, inside, from, to),
			confidence: Math.min(1, Math.max(0, confidence * share)),
		});
		first = end;
	}
	const [only, ...others] = sentences;
	const { spokenIn } = utterance;
	return only && spokenIn && others.length === 0
		? [{ ...only, spokenIn }]
		: sentences;
}

function goesOn(
	before: Sentence,
	after: Sentence,
	language: Language,
): boolean {
	const silenceMs = beginMs(after) - endMs(before);
	if (silenceMs > seamMsMax) return false;
	if (endMs(after) - beginMs(before) > sentenceMsMax) return false;
	return !endsWithMark(before, language);
}

function endsWithMark({ text }: Sentence, language: Language): boolean {
	const last = [...text].at(-1) ?? "";
	return isSpaced(language) || pairOf(language)
		? /[.?!。？！…]/u.test(last) || isClosing(last)
		: /[。？！?!]/u.test(last) || isClosing(last);
}

function isClosing(character: string): boolean {
	return isMark(character) && /[\p{Pe}\p{Pf}"]/u.test(character);
}

function joined(before: Sentence, after: Sentence, language: Language) {
	const { spokenIn, ...rest } = before;
	const text = joinTexts([before.text, after.text], language);
	const shift = text.length - after.text.length;
	const lengths = [before.text.length, after.text.length] as const;
	return {
		...rest,
		...(spokenIn && spokenIn === after.spokenIn && { spokenIn }),
		text,
		words: [
			...before.words,
			...after.words.map((word) => ({
				...word,
				from: word.from + shift,
				to: word.to + shift,
			})),
		],
		confidence:
			(before.confidence * lengths[0] + after.confidence * lengths[1]) /
			(lengths[0] + lengths[1]),
	};
}

/** Weighted by length; marks are not counted. */
function meanConfidence(words: readonly PlacedWord[]): number {
	let sum = 0;
	let characters = 0;
	for (const { kind, from, to, confidence } of words) {
		if (kind === "punc") continue;
		sum += confidence * (to - from);
		characters += to - from;
	}
	return characters === 0 ? 0 : sum / characters;
}
