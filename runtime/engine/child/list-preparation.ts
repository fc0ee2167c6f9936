/**
 * What a recognizer has to do with a list of hotwords before it is first used, done a little at a time: other recognitions go on meanwhile.
 */
import { setImmediate as breathe } from "node:timers/promises";
import type { SpeechRecognizer } from "../../models/recognizer.js";
import type { RecognitionOptions } from "../../session/options.js";

/** Work in one turn of the event loop: about a decoder's step. */
const turnMs = 5;

/** @param isOver nobody needs the list any more. */
export async function prepareLists(
	recognizer: SpeechRecognizer,
	{ hotwords, language }: Pick<RecognitionOptions, "hotwords" | "language">,
	isOver: () => boolean,
): Promise<void> {
	if (!hotwords || !recognizer.preparing) return;
	let since = performance.now();
	for (const _ of recognizer.preparing(hotwords, language)) {
		if (performance.now() - since < turnMs) continue;
		await breathe();
		if (isOver()) return;
		since = performance.now();
	}
}
