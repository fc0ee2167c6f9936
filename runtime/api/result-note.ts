/** The `message` of a successful short recognition. */
import type { Completed } from "./pipe-to-recognition.js";

const notUnderstoodText = "speech was detected but not recognized";

/** @returns `success` where there is nothing to add. */
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
