/**
 * Who works on jobs in this engine: built once the models are loaded, on the same recognizer as everything else.
 */
import type { ContainerDecoder } from "../../audio/decoder-port.js";
import type { InferencePort } from "../../models/inference-port.js";
import type { CoreSettings } from "../protocol.js";
import type { FileWorkers } from "./file-jobs.js";
import { hearFile } from "./hear-job.js";
import type { Models } from "./models.js";
import { VoicesWorker } from "./voices-worker.js";

export interface WorkerParts {
	readonly port: InferencePort;
	readonly models: Models;
	readonly decoder: ContainerDecoder;
	readonly settings: CoreSettings;
}

export function createFileWorkers(parts: WorkerParts): FileWorkers {
	const { port, models, decoder, settings } = parts;
	const hearing = { models, decoder, beam: settings.beam };
	const voices = new VoicesWorker(port, models, decoder, settings);
	return {
		hear: (job, options, home) => hearFile(hearing, job, options, home),
		voices: (job, home) => voices.work(job, home),
	};
}
