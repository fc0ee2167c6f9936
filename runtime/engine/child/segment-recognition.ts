/**
 * Recognizes a segment, and again in pieces if its words leave out speech (session/lost-speech.ts). Used for live speech and for files, so that
 * both get the same results.
 */

import type { Hypothesis } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";
import { hasMoreText, lostSpeechSegments } from "../../session/lost-speech.js";
import type { Part } from "../../session/parts.js";
import type { Language } from "../../text/languages.js";
import { pairOf } from "../../text/languages.js";
import { inOneLanguage, recognizeMixed } from "./mixed-language-recognition.js";
import type { Recognize, SegmentQuery } from "./segment-query.js";

/** Depth of splitting pieces again: stops a recognizer that recognizes nothing from being asked for ever. */
const depthMax = 3;

/**
 * @param recognize returns words where `mayLoseSpeech` reports that speech may be left out.
 * @returns one part, or several pieces.
 * @throws WorkCancelled
 */
export async function recognizeSegment(
	segment: Segment,
	language: Language,
	recognize: Recognize,
): Promise<readonly Part[]> {
	const pair = pairOf(language);
	const parts = pair
		? await recognizeMixed(segment, pair, recognize)
		: await partsOf([{ segment }], recognize, false);
	return recognizeEachAgain(parts, recognize, depthMax);
}

async function recognizeEachAgain(
	parts: readonly Part[],
	recognize: Recognize,
	depth: number,
): Promise<readonly Part[]> {
	const found: Part[] = [];
	for (const part of parts)
		found.push(...(await recognizeAgain(part, recognize, depth)));
	return found;
}

/** A piece that also loses speech is split again. The language of the whole is that of its pieces, which may be too short to show it. */
async function recognizeAgain(
	whole: Part,
	recognize: Recognize,
	depth: number,
): Promise<readonly Part[]> {
	const pieces =
		depth > 0 ? lostSpeechSegments(whole.segment, whole.hypothesis) : [];
	if (pieces.length === 0) return [whole];
	const { spokenIn } = whole;
	const wanted = pieces.map((segment) => ({
		segment,
		...(spokenIn && { spokenIn }),
	}));
	const first = await partsOf(wanted, recognize, true);
	const parts = await recognizeEachAgain(first, recognize, depth - 1);
	const texts = parts.map((it) => it.hypothesis);
	return hasMoreText(texts, whole.hypothesis) ? parts : [whole];
}

async function partsOf(
	wanted: readonly SegmentQuery[],
	recognize: Recognize,
	isAgain: boolean,
): Promise<readonly Part[]> {
	const found = await recognize(wanted, isAgain);
	return wanted.map(({ segment }, i) =>
		inOneLanguage(segment, found[i] as Hypothesis),
	);
}
