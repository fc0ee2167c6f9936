/**
 * What has to be done with the lists of a recognition before they are first used, a little at a time: other recognitions go on meanwhile.
 */
import { setImmediate as breathe } from "node:timers/promises";
import type { SpeechRecognizer } from "../../models/recognizer.js";
import type { RecognitionOptions } from "../../session/options.js";
import { preparingText } from "../../text/pipeline.js";

/** Work in one turn of the event loop: about a decoder's step. */
const turnMs = 5;

/** @param isOver nobody needs the lists any more. */
export async function prepareLists(
	recognizer: SpeechRecognizer,
	options: RecognitionOptions,
	isOver: () => boolean,
): Promise<void> {
	let since = performance.now();
	for (const _ of preparing(recognizer, options)) {
		if (performance.now() - since < turnMs) continue;
		await breathe();
		if (isOver()) return;
		since = performance.now();
	}
}

function* preparing(
	recognizer: SpeechRecognizer,
	options: RecognitionOptions,
): Generator<void> {
	const { hotwords, language } = options;
	yield* preparingText(options);
	if (hotwords) yield* recognizer.preparing?.(hotwords, language) ?? [];
}
