/**
 * Who works on jobs in this engine: built once the models are loaded, on the same recognizer as everything else.
 */
import type { ContainerDecoder } from "../../audio/decoder-port.js";
import { CodedError } from "../../errors.js";
import type { EngineSettings } from "../protocol.js";
import type { FileWorkers } from "./file-jobs.js";
import { hearFile } from "./hear-job.js";
import type { Models } from "./models.js";

export interface WorkerParts {
	readonly models: Models;
	readonly decoder: ContainerDecoder;
	readonly settings: Omit<EngineSettings, "lane" | "niceness">;
}

export function createFileWorkers(parts: WorkerParts): FileWorkers {
	const { models, decoder, settings } = parts;
	const hearing = { models, decoder, beam: settings.beam };
	return {
		hear: (job, options, home) => hearFile(hearing, job, options, home),
		voices: async () => {
			throw new CodedError("100003", "this engine tells no voices apart yet");
		},
	};
}
