/** Errors of a session as its client gets them. */
import { asCodedError, type CodedError } from "../../errors.js";
import type { Logger } from "../../log/log.js";

/**
 * @param thrown anything. @returns what the client gets: an internal error where the cause is ours, and then the log gets the cause.
 * @param what the log's message.
 */
export function loggedError(
	thrown: unknown,
	log: Logger,
	what: string,
): CodedError {
	const error = asCodedError(thrown);
	if (error.cause) log.error({ err: error.cause }, what);
	return error;
}
