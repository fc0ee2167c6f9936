/** `earshot recognizer`: an additional copy of an engine's recognizer, started by the engine for files. It ends when the IPC channel to that engine closes. */
import type { Command } from "commander";
import { runRecognizerCopy } from "../engine/child/pool/recognizer-copy.js";
import { collectWithoutThreads } from "../process/garbage-collector.js";
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
