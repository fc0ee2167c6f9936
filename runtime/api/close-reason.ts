/** Why a WebSocket is closed, as a close frame can say it. */

/** Codes where there is no error that has its own (errors.ts): RFC 6455, section 7.4.1. */
export const normalClosure = 1000;
export const policyViolation = 1008;

/** RFC 6455, section 5.5: 125 bytes, of which two are the code. */
const bytesMax = 123;

/** @returns as much of it as fits, in whole characters. */
export function fittingReason(reason: string): string {
	const bytes = Buffer.alloc(bytesMax);
	const written = bytes.write(reason); // whole characters only
	return bytes.toString("utf8", 0, written);
}
