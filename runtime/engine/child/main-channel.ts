/** The channel from an engine to the main process. */
import { asCodedError } from "../../errors.js";
import type { FromEngine } from "../protocol.js";

export function send(message: FromEngine): void {
	if (!process.connected) return;
	// a closed channel is not an error: `disconnect` handles it
	process.send?.(message, undefined, undefined, () => {});
}

/** Settles once the message has been handed to the channel. */
export function sendAndWait(message: FromEngine): Promise<void> {
	return new Promise((resolve) => {
		if (process.connected)
			process.send?.(message, undefined, undefined, () => resolve());
		else resolve();
	});
}

/** The last message, sent after all others; the engine leaves when the channel is closed. */
export function sendAndDisconnect(message: FromEngine): void {
	process.send?.(message, undefined, undefined, () => process.disconnect?.());
}

/** @param id of the recognition or job that failed. */
export function sendFailure(id: number, error: unknown): void {
	const { status, message, cause } = asCodedError(error);
	if (cause !== undefined)
		send({
			is: "log",
			level: "error",
			message: "recognition or job failed",
			fields: { status, cause: describe(cause) },
		});
	send({ is: "failed", id, status, message });
}

/** An error for the log: with its stack, where there is one. */
export function describe(cause: unknown): string {
	return cause instanceof Error
		? (cause.stack ?? cause.message)
		: String(cause);
}
