/**
 * Compiles a recognition's word lists before their first use, in small steps so that other recognitions keep running.
 */
import { Slice } from "../../event-loop/slices.js";
import type { SpeechRecognizer } from "../../models/recognizer.js";
import type { RecognitionOptions } from "../../session/options.js";
import { preparingText } from "../../text/pipeline.js";

/** Work per turn of the event loop: about one decoder step. */
const turnMs = 5;

/** @param isOver the lists are no longer needed. */
export async function prepareLists(
	recognizer: SpeechRecognizer,
	options: RecognitionOptions,
	isOver: () => boolean,
): Promise<void> {
	const slice = new Slice(turnMs);
	for (const _ of preparing(recognizer, options)) {
		if (!slice.isOver) continue;
		await slice.next();
		if (isOver()) return;
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
