/** What a result says, for which audio could not be stored. */
import type { StoredRecording } from "../../session/events.js";

export function lostText({
	why,
}: Extract<StoredRecording, { is: "lost" }>): string {
	return `success, but the audio could not be stored: ${why}`;
}
