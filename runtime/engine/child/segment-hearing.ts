/**
 * A segment recognised, and again in pieces where its words leave speech out (session/unheard.ts). Live speech and files both come here, so that
 * what is found in one is found in the other.
 */
import type { Hypothesis } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";
import type { Part } from "../../session/parts.js";
import { saysMore, unheardPieces } from "../../session/unheard.js";

/**
 * Recognises segments, in the order or all at once.
 * @param isAgain they are pieces of one that was recognised before.
 */
export type Recognize = (
	segments: readonly Segment[],
	isAgain: boolean,
) => Promise<readonly (Hypothesis | "cancelled")[]>;

/** Pieces of pieces: each is shorter, but a recognizer that hears nothing at all is not asked for ever. */
const depthMax = 3;

/**
 * @param recognize with words where `mayLoseSpeech` says that some may be left out.
 * @returns what it was recognised as: one part, or pieces.
 */
export async function hearSegment(
	segment: Segment,
	recognize: Recognize,
): Promise<readonly Part[] | "cancelled"> {
	const whole = await partsOf([segment], recognize, false);
	if (whole === "cancelled") return whole;
	return lookAgain(whole[0] as Part, recognize, depthMax);
}

/** A piece that loses speech, too, is parted again. */
async function lookAgain(
	whole: Part,
	recognize: Recognize,
	depth: number,
): Promise<readonly Part[] | "cancelled"> {
	const pieces =
		depth > 0 ? unheardPieces(whole.segment, whole.hypothesis) : [];
	if (pieces.length === 0) return [whole];
	const first = await partsOf(pieces, recognize, true);
	if (first === "cancelled") return first;
	const parts: Part[] = [];
	for (const piece of first) {
		const found = await lookAgain(piece, recognize, depth - 1);
		if (found === "cancelled") return found;
		parts.push(...found);
	}
	const texts = parts.map((it) => it.hypothesis);
	return saysMore(texts, whole.hypothesis) ? parts : [whole];
}

async function partsOf(
	segments: readonly Segment[],
	recognize: Recognize,
	isAgain: boolean,
): Promise<readonly Part[] | "cancelled"> {
	const found = await recognize(segments, isAgain);
	const parts: Part[] = [];
	for (const [i, segment] of segments.entries()) {
		const hypothesis = found[i];
		if (!hypothesis || hypothesis === "cancelled") return "cancelled";
		parts.push({ segment, hypothesis });
	}
	return parts;
}
