/** `message` of a task that is done, the same to whoever asks and in callbacks and MQTT (docs/transcripts.md). */
import type { TaskView } from "./task-service.js";

/** Why it failed; or that it succeeded, with what its transcript lacks. */
export function outcomeMessage({
	state,
	failure,
	notes,
}: Pick<TaskView, "state" | "failure" | "notes">): string {
	if (state === "completed") return ["success", ...notes].join("; ");
	return failure?.message ?? "task failed";
}
