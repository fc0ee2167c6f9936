/** Some networks swallow what is sent, and nobody is told: no answer is waited for without end. */
import { ApiError } from "../app/api.js";
import { requestSecondsMax } from "./recognition-options.js";

/** Beside the audio's own length, e.g. for a model that has to be loaded. */
const answerMsMin = 60_000;
/** As long as the audio is to send it, and as long to recognize it. */
const lengths = 2;

/** Of a request with audio. */
export function answerMsMaxOf({ size }: Blob, format: string): number {
	// what takes so many bytes is not longer; of compressed audio nobody knows more
	const bytesPerSecondMin = format === "wav" ? 16_000 : 2000;
	const seconds = Math.min(requestSecondsMax, size / bytesPerSecondMin);
	return answerMsMin + lengths * 1000 * seconds;
}

/** @param request may be aborted by who wants its answer no more. @throws ApiError where there is no answer */
export async function answeredWithin<Answer>(
	ms: number,
	ask: (signal: AbortSignal) => Promise<Answer>,
	request = new AbortController(),
): Promise<Answer> {
	const timer = setTimeout(() => request.abort(), ms);
	try {
		return await ask(request.signal);
	} catch (thrown) {
		throw request.signal.aborted ? new ApiError(0, "", "") : thrown;
	} finally {
		clearTimeout(timer);
	}
}
