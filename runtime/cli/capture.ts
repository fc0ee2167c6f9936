/** `earshot capture`: the child process that `serve` starts for each microphone. It receives its settings over its IPC channel. */
import type { Command } from "commander";
import { openAlsa } from "../../drivers/alsa/capture.js";
import { openStreamCapture } from "../../drivers/stream/capture.js";
import { runCapture } from "../microphones/capture-child.js";
import { CaptureError, type OpenCapture } from "../microphones/capture-port.js";
import { isStream, placeOfStream } from "../microphones/stream-address.js";
import { hostObjection } from "../outbound/host-objection.js";
import { action, UsageError, verb } from "./verb.js";

export function captureCommand(): Command {
	return verb("capture", "records a microphone, as `serve` starts it").action(
		action(() => {
			if (!process.send)
				throw new UsageError("a capture is started by `earshot serve`");
			runCapture(deviceOpener());
		}),
	);
}

/** Of a card, or of a stream whose address is allowed now: it is asked each time, since a name may lead elsewhere tomorrow. */
export function deviceOpener(objection = hostObjection): OpenCapture {
	return async (request) => {
		if (!isStream(request.device)) return openAlsa(request);
		const why = await objection(
			placeOfStream(request.device),
			request.stream?.allow ?? [],
		).catch((error: Error) => {
			throw new CaptureError("ETIMEDOUT", "connect", error.message);
		});
		if (why === undefined) return openStreamCapture(request);
		throw new CaptureError(
			"EACCES",
			"connect",
			`its address is not allowed (${why}); outbound.allow opens it`,
		);
	};
}
