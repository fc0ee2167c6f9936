/** `earshot capture`: the child process that `serve` starts for each microphone. It receives its settings over its IPC channel. */
import type { Command } from "commander";
import { openAlsa } from "../../drivers/alsa/capture.js";
import { runCapture } from "../microphones/capture-child.js";
import { action, UsageError, verb } from "./verb.js";

export function captureCommand(): Command {
	return verb("capture", "records a microphone, as `serve` starts it").action(
		action(() => {
			if (!process.send)
				throw new UsageError("a capture is started by `earshot serve`");
			runCapture(openAlsa);
		}),
	);
}
