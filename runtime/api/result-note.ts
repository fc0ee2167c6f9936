/** What a short recognition's answer says of its success, beside the text. */
import type { Completed } from "./pipe-to-recognition.js";

const notUnderstoodText = "speech was heard and not understood";

/** @returns `success` where there is nothing else to say. */
export function resultNote({
	recording,
	notUnderstood,
}: Pick<Completed, "recording" | "notUnderstood">): string {
	const stored =
		recording?.is === "lost"
			? `success, but the audio could not be stored: ${recording.why}`
			: "success";
	return notUnderstood ? `${stored}; ${notUnderstoodText}` : stored;
}
