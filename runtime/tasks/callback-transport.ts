/** How a callback is posted: the outbound requests that it needs, and what limits one of them. */
import type { OutboundLimits } from "../outbound/outbound-request.js";

/** Outbound requests under the policy of `runtime/outbound`. */
export interface CallbackTransport {
	/** @returns the answer, once its headers have arrived. @throws Error with a message of one sentence */
	send(
		url: string,
		request: {
			readonly method: "POST";
			readonly headers: Readonly<Record<string, string>>;
			readonly body: AsyncIterable<string>;
			readonly redirectsMax: 0;
			readonly limits: OutboundLimits;
			readonly signal: AbortSignal;
		},
	): Promise<{ readonly status: number; close(): void }>;
}

const connectSecondsMax = 10;
const answerSecondsMax = 10;
/** Slowest uplink that long transcripts get through: 128 kbit/s. */
const bytesPerSecondMin = 16 * 1024;
/** Of these the kernel may say that they were sent while they still wait for a slow uplink. */
const bytesUnderWayMax = 512 * 1024;

/** Limits of one try. @param bytes of the body */
export function limitsOf(bytes: number): OutboundLimits {
	const secondsOf = (sent: number) => Math.ceil(sent / bytesPerSecondMin);
	const quietSecondsMax =
		answerSecondsMax + secondsOf(Math.min(bytes, bytesUnderWayMax));
	return {
		connectSecondsMax,
		headersSecondsMax: quietSecondsMax,
		idleSecondsMax: quietSecondsMax,
		pieceSecondsMax: answerSecondsMax,
		secondsMax: connectSecondsMax + secondsOf(bytes) + answerSecondsMax,
		bytesMax: 64 * 1024,
	};
}
