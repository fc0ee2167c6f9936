/** Audio that is sent to the device as a whole, which answers with its text. Some networks swallow what is sent, and nobody is told: no answer is waited for without end. */
import { ApiError, data } from "../app/api.js";
import { requestSecondsMax } from "./recognition-options.js";

/** Beside the audio's own length, e.g. for a model that has to be loaded. */
const answerMsMin = 60_000;
/** As long as the audio is to send it, and as long to recognize it. */
const lengths = 2;

/** @param query options of the request. @param request may be aborted by who wants its answer no more. @throws ApiError */
export async function recognizeClip<Answer>(
	audio: Blob,
	format: string,
	query: Readonly<Record<string, string>>,
	request = new AbortController(),
): Promise<Answer> {
	const answerMsMax =
		answerMsMin + lengths * 1000 * secondsMaxOf(audio, format);
	const timer = setTimeout(() => request.abort(), answerMsMax);
	const duration = String(requestSecondsMax);
	try {
		return await data<Answer>("v1/asr/api", {
			method: "POST",
			query: { format, duration, ...query },
			body: audio,
			signal: request.signal,
		});
	} catch (thrown) {
		throw request.signal.aborted ? new ApiError(0, "", "") : thrown;
	} finally {
		clearTimeout(timer);
	}
}

/** What takes so many bytes is not longer; of compressed audio nobody knows more. */
function secondsMaxOf({ size }: Blob, format: string): number {
	const bytesPerSecondMin = format === "wav" ? 16_000 : 2000;
	return Math.min(requestSecondsMax, size / bytesPerSecondMin);
}
