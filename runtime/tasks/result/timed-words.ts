/**
 * Words and their times where the recognizer gave none: Latin words and numbers as written, other characters one by one, each with its share of the utterance's
 * time. Marks have no duration.
 */
import type { Utterance } from "../../session/events.js";
import type { PlacedWord } from "../../text/edits.js";
import { isCjk, isMark } from "../../text/marks.js";

interface TextSpan {
	from: number;
	to: number;
	is: "word" | "mark";
	/** Syllables, roughly. */
	weight: number;
}

/** Duration of a letter of a Latin word, relative to a Chinese or Japanese character. */
const letterWeight = 0.35;

export function timedWords(utterance: Utterance): PlacedWord[] {
	const { text, beginMs, endMs, confidence } = utterance;
	const spans = textSpansOf(text);
	const whole = spans.reduce((sum, it) => sum + it.weight, 0);
	let spokenWeight = 0;
	const atMs = () =>
		whole === 0
			? beginMs
			: Math.round(beginMs + ((endMs - beginMs) * spokenWeight) / whole);
	return spans.map(({ from, to, is, weight }) => {
		const startMs = atMs();
		spokenWeight += weight;
		const kind = is === "mark" ? "punc" : "normal";
		return { from, to, startMs, endMs: atMs(), kind, confidence };
	});
}

function textSpansOf(text: string): TextSpan[] {
	const characters = [...text];
	const spans: TextSpan[] = [];
	let at = 0;
	let joins: TextSpan | undefined; // the Latin word that the next letter belongs to
	characters.forEach((character, i) => {
		const from = at;
		at += character.length;
		if (/\s/u.test(character)) {
			joins = undefined;
			return;
		}
		const inWord =
			joins !== undefined && isInsideWord(character, characters[i + 1]);
		if (joins && inWord) {
			joins.to = at;
			joins.weight += letterWeight;
			return;
		}
		const is = isMark(character) ? "mark" : "word";
		const weight = is === "mark" ? 0 : isCjk(character) ? 1 : letterWeight;
		const span: TextSpan = { from, to: at, is, weight };
		spans.push(span);
		joins = is === "word" && !isCjk(character) ? span : undefined;
	});
	return spans;
}

/** A letter, or the mark inside "don't" and 3.5. */
function isInsideWord(character: string, next: string | undefined): boolean {
	if (isCjk(character)) return false;
	if (!isMark(character)) return true;
	return (
		/^['’.,:-]$/u.test(character) &&
		/^[\p{L}\p{N}]$/u.test(next ?? " ") &&
		!isCjk(next ?? "")
	);
}
