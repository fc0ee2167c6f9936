/**
 * The voice activity model for tests: the committed package, or the file that EARSHOT_TEST_SILERO names.
 */
import { existsSync } from "node:fs";
import { openOnnx } from "../../drivers/onnx/session.js";
import {
	openSilero,
	type SileroModel,
} from "../../runtime/models/silero/detector.js";

export const sileroPath =
	process.env.EARSHOT_TEST_SILERO ?? "models/silero-vad/silero_vad.onnx";

/** Why tests with the model are skipped; false if it is available. */
export const sileroMissing: string | false = existsSync(sileroPath)
	? false
	: `${sileroPath} is not here`;

export function openTestSilero(): Promise<SileroModel> {
	return openSilero(openOnnx(), sileroPath);
}
