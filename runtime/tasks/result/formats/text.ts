/** Plain text: a segment per line, an empty line between paragraphs, and each paragraph begins with its speaker if known. */
import type { ResultSegment } from "../result.js";
import { inOneLine } from "./cue.js";

export function* writeText(
	segments: Iterable<ResultSegment>,
): Generator<string> {
	let before: ResultSegment | undefined;
	for (const segment of segments) {
		const text = inOneLine(segment.transcript);
		const speaker = nameOf(segment);
		if (text === "") continue; // not understood
		const begins =
			!before ||
			(before.cluster_id === segment.cluster_id
				? before.paragraph !== segment.paragraph
				: nameOf(before) !== speaker); // a person may have made two of them one
		const gap = before && begins ? "\n" : "";
		const who = begins && speaker !== undefined ? `${speaker}: ` : "";
		yield `${gap}${who}${text}\n`;
		before = segment;
	}
}

function nameOf({ speaker, cluster_id }: ResultSegment) {
	return speaker ?? cluster_id;
}
