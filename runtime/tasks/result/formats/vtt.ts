/** WebVTT (W3C): `hh:mm:ss.mmm`, `&`, `<` and `>` escaped, the speaker as a voice span (`<v 1>`). */
import type { ResultSegment } from "../result.js";
import { timeCode } from "../time-code.js";
import { cuesOf } from "./cue.js";

const escapes: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
};

export function* writeVtt(
	segments: Iterable<ResultSegment>,
): Generator<string> {
	yield "WEBVTT\n\n";
	for (const { number, beginMs, endMs, text, speaker } of cuesOf(segments)) {
		const when = `${vttTime(beginMs)} --> ${vttTime(endMs)}`;
		const voice = speaker === undefined ? "" : `<v ${escaped(`${speaker}`)}>`;
		yield `${number}\n${when}\n${voice}${escaped(text)}\n\n`;
	}
}

function vttTime(milliseconds: number): string {
	return timeCode(milliseconds).replace(",", ".");
}

function escaped(text: string): string {
	return text.replace(/[&<>]/g, (it) => escapes[it] as string);
}
