/** `earshot recognizer`: a further copy of an engine's recognizer, as the engine for files starts it. It ends with the channel to that engine. */
import type { Command } from "commander";
import { runRecognizerCopy } from "../engine/child/pool/recognizer-copy.js";
import { collectWithoutThreads } from "../engine/collector.js";
import { action, UsageError, verb } from "./verb.js";

export function recognizerCommand(): Command {
	return verb(
		"recognizer",
		"a copy of the recognizer, as an engine starts it",
	).action(
		action(() => {
			if (!process.send)
				throw new UsageError("a recognizer is started by an engine");
			collectWithoutThreads();
			runRecognizerCopy();
		}),
	);
}
