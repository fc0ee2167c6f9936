/** Audio that is sent to the device as a whole, which answers with its text. */
import { data } from "../app/api.js";
import { answeredWithin, answerMsMaxOf } from "./answered-within.js";
import { requestSecondsMax } from "./recognition-options.js";

/** @param query options of the request. @param request may be aborted. @throws ApiError */
export function recognizeClip<Answer>(
	audio: Blob,
	format: string,
	query: Readonly<Record<string, string>>,
	request?: AbortController,
): Promise<Answer> {
	const duration = String(requestSecondsMax);
	const ask = (signal: AbortSignal) =>
		data<Answer>("v1/asr/api", {
			method: "POST",
			query: { format, duration, ...query },
			body: audio,
			signal,
		});
	return answeredWithin(answerMsMaxOf(audio, format), ask, request);
}
