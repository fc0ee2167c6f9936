/** Why an outbound request was not made, or failed: one sentence that contains no address of ours. */
export type OutboundTrouble =
	/** The URL, or its address, is not allowed; a retry is pointless. */
	| "refused"
	/** The target could not be reached, or the connection was interrupted or too slow. */
	| "unreachable"
	/** The answer exceeds its limit. */
	| "too-large";

export class OutboundError extends Error {
	override readonly name = "OutboundError";
	readonly trouble: OutboundTrouble;

	constructor(trouble: OutboundTrouble, message: string, cause?: unknown) {
		super(message, { cause });
		this.trouble = trouble;
	}
}

export function refused(why: string): OutboundError {
	return new OutboundError("refused", why);
}
