/**
 * Who works on jobs in this engine: built once the models are loaded, on the same recognizer as everything else.
 */
import type { ContainerDecoder } from "../../audio/decoder-port.js";
import { CodedError } from "../../errors.js";
import type { EngineSettings } from "../protocol.js";
import type { FileWorkers } from "./file-jobs.js";
import type { Models } from "./models.js";

export interface WorkerParts {
	readonly models: Models;
	readonly decoder: ContainerDecoder;
	readonly settings: Omit<EngineSettings, "lane" | "niceness">;
}

export function createFileWorkers(_parts: WorkerParts): FileWorkers {
	return {
		hear: async () => {
			throw new CodedError("100003", "this engine hears no files yet");
		},
		voices: async () => {
			throw new CodedError("100003", "this engine tells no voices apart yet");
		},
	};
}
