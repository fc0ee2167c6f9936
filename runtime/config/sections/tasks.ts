/** Files to transcribe: how many may wait, and how long results are kept. */
import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const tasksSection = {
	queue_max: setting(
		Type.Integer({ minimum: 1, maximum: 100_000 }),
		1000,
		"Files that may wait to be transcribed; more are refused with 100004.",
	),
	result_days: setting(
		Type.Number({ minimum: 0, maximum: 36_500 }),
		31,
		"Days that a finished task and its transcript are kept.",
	),
	audio_days: setting(
		Type.Number({ minimum: 0, maximum: 36_500 }),
		30,
		"Days that an uploaded file is kept after its task is finished, unless the space is needed for another; 0: it is removed when the task ends.",
	),
};
