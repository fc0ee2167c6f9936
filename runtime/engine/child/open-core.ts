/**
 * An engine core with the real models, ONNX Runtime and the system's ffmpeg, and the workers for whole files.
 */
import { openFfmpeg } from "../../../drivers/ffmpeg/decoder.js";
import {
	kernelsOf,
	type OnnxSettings,
	openOnnx,
} from "../../../drivers/onnx/session.js";
import type { KernelChoice } from "../../models/inference-port.js";
import type { CoreSettings } from "../protocol.js";
import { type TakenCores, takeCores } from "./cores.js";
import { EngineCore } from "./engine-core.js";
import type { FileWorkers } from "./file-jobs.js";
import {
	createFileWorkers,
	threadsOfEach,
	type WorkerParts,
} from "./file-workers.js";
import { loadModels } from "./models.js";
import type { SpeechReports } from "./open-language-models.js";
import { openSpoolFolder } from "./spool-folder.js";

export interface Engine {
	readonly core: EngineCore;
	readonly workers: FileWorkers;
	/** Used by this engine alone; to be removed when it ends. */
	readonly spoolFolder: string;
	readonly kernels: readonly KernelChoice[];
	readonly cores: TakenCores;
}

export interface EngineReports extends SpeechReports {
	/** A further copy of the recognizer can't be loaded: files are transcribed without it. */
	readonly onMissing?: WorkerParts["onMissing"];
	readonly onTry?: OnnxSettings["onTry"];
}

/**
 * The calling thread runs on the chosen cores from then on.
 * @throws when a model can't be used, or none of the cores.
 */
export async function openEngine(
	wanted: CoreSettings,
	{ onMissing = () => {}, onTry, ...reports }: EngineReports = {},
): Promise<Engine> {
	const cores = takeCores(wanted);
	const settings = { ...wanted, threads: cores.threads };
	const { spoolBytesMax, beam, partialMs } = settings;
	const spoolFolder = await openSpoolFolder(settings.spoolFolder);
	const port = openOnnx({ ...settings, ...(onTry && { onTry }) });
	const models = await loadModels(
		port,
		{ ...settings, threads: threadsOfEach(settings) },
		reports,
	);
	const decoder = openFfmpeg({ spoolFolder, spoolBytesMax });
	return {
		spoolFolder,
		cores,
		kernels: kernelsOf(settings.kernels ?? "auto"),
		core: new EngineCore(models, decoder, beam, partialMs),
		workers: createFileWorkers({
			port,
			models,
			decoder,
			settings,
			onMissing,
			onRefinementFailed: reports.onRefinementFailed ?? (() => {}),
		}),
	};
}

/** Without further copies of the recognizer: they are for files, and closing the core does not end them. @throws when a model can't be used. */
export async function openCore(settings: CoreSettings): Promise<EngineCore> {
	return (await openEngine({ ...settings, recognizers: 1 })).core;
}
