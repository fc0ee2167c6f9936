/** Why a request into the network was not made, or did not end well: one sentence that names no address of ours. */
export type OutboundTrouble =
	/** The URL itself, or where it leads, is not allowed; trying again changes nothing. */
	| "refused"
	/** It could not be reached, broke off or was too slow. */
	| "unreachable"
	/** More came than was asked for. */
	| "too-large";

export class OutboundError extends Error {
	override readonly name = "OutboundError";
	readonly trouble: OutboundTrouble;

	constructor(trouble: OutboundTrouble, message: string, cause?: unknown) {
		super(message, { cause });
		this.trouble = trouble;
	}
}
