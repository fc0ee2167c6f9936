/** Why a WebSocket is closed, as a close frame can say it. */

/** RFC 6455, section 5.5: 125 bytes, of which two are the code. */
const bytesMax = 123;

/** @returns as much of it as fits, in whole characters. */
export function fittingReason(reason: string): string {
	const bytes = Buffer.alloc(bytesMax);
	const written = bytes.write(reason); // whole characters only
	return bytes.toString("utf8", 0, written);
}
