/**
 * Post-processes utterances: runs the text pipeline over what the recognizer wrote, with the words moved along.
 */
import { type PlacedWord, placesOf } from "../text/edits.js";
import type { TextPipeline } from "../text/pipeline.js";
import type { Utterance, Word } from "./events.js";

/** @param before the text of the utterance before. */
export function writeUtterance(
	utterance: Utterance,
	pipeline: TextPipeline,
	before?: string,
): Utterance {
	if (pipeline.steps.length === 0) return utterance;
	const { text, words } = pipeline.write(
		{
			text: utterance.text,
			words: placeWords(utterance.text, utterance.words),
		},
		before,
	);
	return { ...utterance, text, words: unplace(text, words) };
}

/** The same for an open segment: its end is hidden while it may still change. Undefined if nothing is left to show. */
export function writeOpenUtterance(
	utterance: Utterance,
	pipeline: TextPipeline,
	before?: string,
): Utterance | undefined {
	if (pipeline.steps.length === 0) return utterance;
	const open = pipeline.openFrom(utterance.text);
	const shown = utterance.text.slice(0, open).trimEnd();
	if (shown === "") return undefined;
	const closed = placeWords(utterance.text, utterance.words).filter(
		(it) => it.to <= shown.length,
	);
	const written = writeUtterance(
		{ ...utterance, text: shown, words: unplace(shown, closed) },
		pipeline,
		before,
	);
	return written.text === "" ? undefined : written;
}

/** The position of each word in the text; words are in its order. */
export function placeWords(text: string, words: readonly Word[]): PlacedWord[] {
	return placesOf(text, words).map(
		({ word: { text: _, ...word }, from, to }) => ({ ...word, from, to }),
	);
}

function unplace(text: string, words: readonly PlacedWord[]): Word[] {
	return words.map(({ from, to, ...word }) => ({
		...word,
		text: text.slice(from, to),
	}));
}
