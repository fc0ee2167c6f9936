/**
 * A segment recognised, and again in pieces where its words leave speech out (session/lost-speech.ts). Live speech and files both come here, so that
 * what is found in one is found in the other.
 */

import type { Hypothesis } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";
import { hasMoreText, lostSpeechSegments } from "../../session/lost-speech.js";
import type { Part } from "../../session/parts.js";
import type { Language } from "../../text/languages.js";
import { pairOf } from "../../text/languages.js";
import { inOneLanguage, recognizeMixed } from "./mixed-language-recognition.js";
import type { Recognize } from "./segment-query.js";

/** Pieces of pieces: each is shorter, but a recognizer that hears nothing at all is not asked for ever. */
const depthMax = 3;

/**
 * @param recognize with words where `mayLoseSpeech` says that some may be left out.
 * @returns what it was recognised as: one part, or pieces.
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
		: await partsOf([segment], recognize, false);
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

/** A piece that loses speech, too, is parted again. */
async function recognizeAgain(
	whole: Part,
	recognize: Recognize,
	depth: number,
): Promise<readonly Part[]> {
	const pieces =
		depth > 0 ? lostSpeechSegments(whole.segment, whole.hypothesis) : [];
	if (pieces.length === 0) return [whole];
	const first = await partsOf(pieces, recognize, true);
	const parts = await recognizeEachAgain(first, recognize, depth - 1);
	const texts = parts.map((it) => it.hypothesis);
	return hasMoreText(texts, whole.hypothesis) ? parts : [whole];
}

async function partsOf(
	segments: readonly Segment[],
	recognize: Recognize,
	isAgain: boolean,
): Promise<readonly Part[]> {
	const wanted = segments.map((segment) => ({ segment }));
	const found = await recognize(wanted, isAgain);
	return segments.map((it, i) => inOneLanguage(it, found[i] as Hypothesis));
}
