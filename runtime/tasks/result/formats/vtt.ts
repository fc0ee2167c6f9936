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
		const voice = speaker === undefined ? "" : `<v ${speaker}>`;
		const escaped = text.replace(/[&<>]/g, (it) => escapes[it] as string);
		yield `${number}\n${when}\n${voice}${escaped}\n\n`;
	}
}

function vttTime(milliseconds: number): string {
	return timeCode(milliseconds).replace(",", ".");
}
