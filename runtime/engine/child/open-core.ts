/**
 * An engine core on the real models, the real runtime and the system's ffmpeg.
 */
import { openFfmpeg } from "../../../drivers/ffmpeg/decoder.js";
import { openOnnx } from "../../../drivers/onnx/session.js";
import type { EngineSettings } from "../protocol.js";
import { EngineCore } from "./engine-core.js";
import { loadModels } from "./models.js";
import { sweepSpoolFolder } from "./spool-folder.js";

/** @throws when a model can't be used. */
export async function openCore(
	settings: Omit<EngineSettings, "lane" | "niceness">,
): Promise<EngineCore> {
	const { spoolFolder, spoolBytesMax, beam } = settings;
	await sweepSpoolFolder(spoolFolder);
	const models = await loadModels(openOnnx(), settings);
	const decoder = openFfmpeg({ spoolFolder, spoolBytesMax });
	return new EngineCore(models, decoder, beam);
}
