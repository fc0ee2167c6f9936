/**
 * The workers for jobs in this engine: created once the models are loaded; they use the engine's own recognizer and further copies of it.
 */
import type { ContainerDecoder } from "../../audio/decoder-port.js";
import type { InferencePort } from "../../models/inference-port.js";
import type { CoreSettings } from "../protocol.js";
import { DiarizationWorker } from "./diarization-worker.js";
import type { FileWorkers } from "./file-jobs.js";
import { holdModel } from "./hold-model.js";
import type { Models } from "./models.js";
import type { CopySettings } from "./pool/copy-protocol.js";
import {
	type PooledRecognizer,
	RecognizerPool,
} from "./pool/recognizer-pool.js";
import {
	type CopyOptions,
	RecognizerProcess,
} from "./pool/recognizer-process.js";
import { recognizeFile } from "./recognition-job.js";

export interface WorkerParts {
	readonly port: InferencePort;
	readonly models: Models;
	readonly decoder: ContainerDecoder;
	readonly settings: CoreSettings;
	/** A further copy of the recognizer can't be loaded: files are transcribed without it. */
	onMissing(error: Error): void;
	/** In a further copy of the recognizer. */
	onRefinementFailed(error: unknown): void;
	/** Default: a process (recognizer-process.ts). */
	readonly startCopy?: (
		settings: CopySettings,
		options: CopyOptions,
	) => StartedCopy;
	/** Default: the process's clock. */
	readonly nowMs?: () => number;
}

export type StartedCopy = PooledRecognizer & Pick<RecognizerProcess, "ready">;

/** What a copy lacked, as memory, it will hardly have for the next file. */
const retryMs = 600_000;

export function createFileWorkers(parts: WorkerParts): FileWorkers {
	const { port, models, decoder, settings } = parts;
	const pool = new RecognizerPool(models.recognizer, () =>
		models.pendingSends.drained(),
	);
	const copies = new Copies(pool, parts);
	copies.fill();
	const recognitionParts = { models, pool, decoder, beam: settings.beam };
	const diarization = new DiarizationWorker(port, models, decoder, settings);
	return {
		recognize: async (job, options, context) => {
			copies.fill(); // a copy may have died in an earlier job
			const release = holdModel(models.recognizer, options);
			try {
				return await recognizeFile(recognitionParts, job, options, context);
			} finally {
				release?.();
			}
		},
		diarize: (job, context) => diarization.work(job, context),
		close: () => copies.close(),
	};
}

/** Keeps the wanted number of copies running. */
class Copies {
	readonly #pool: RecognizerPool;
	readonly #parts: WorkerParts;
	readonly #loading = new Set<StartedCopy>();
	#isClosed = false;
	#notBeforeMs = Number.NEGATIVE_INFINITY;

	constructor(pool: RecognizerPool, parts: WorkerParts) {
		this.#pool = pool;
		this.#parts = parts;
	}

	fill(): void {
		const {
			settings,
			models,
			onRefinementFailed,
			startCopy = startProcess,
		} = this.#parts;
		const { recognizers } = settings;
		if (this.#nowMs() < this.#notBeforeMs) return;
		const threads = threadsOfEach(settings);
		const languageFolders = this.#workingFolders();
		const missing = recognizers - 1 - this.#pool.others - this.#loading.size;
		for (let i = 0; i < missing; i++)
			void this.#load(
				startCopy(
					{ ...settings, threads, languageFolders },
					{
						onSending: (sent) => models.pendingSends.add(sent),
						onRefinementFailed,
					},
				),
			);
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		for (const copy of this.#loading) await copy.close();
		await this.#pool.close();
	}

	/** Without those that failed in this process: a copy that can't open one of its models is not used. */
	#workingFolders(): Record<string, string> {
		const { settings, models } = this.#parts;
		const states = models.languageModels?.states ?? [];
		const failed = new Set<string>(
			states
				.filter((it) => it.state === "failed")
				.flatMap((it) => it.languages),
		);
		return Object.fromEntries(
			Object.entries(settings.languageFolders ?? {}).filter(
				([language]) => !failed.has(language),
			),
		);
	}

	#nowMs(): number {
		return this.#parts.nowMs?.() ?? performance.now();
	}

	async #load(copy: StartedCopy): Promise<void> {
		this.#loading.add(copy);
		try {
			await copy.ready;
			if (!this.#isClosed) this.#pool.join(copy);
		} catch (error) {
			this.#notBeforeMs = this.#nowMs() + retryMs;
			if (!this.#isClosed) this.#parts.onMissing(error as Error);
		}
		this.#loading.delete(copy);
	}
}

function startProcess(
	settings: CopySettings,
	options: CopyOptions,
): StartedCopy {
	return new RecognizerProcess(settings, options);
}

/** Threads inside one operator of each copy of the recognizer. */
export function threadsOfEach({
	threads,
	recognizers,
}: Pick<CoreSettings, "threads" | "recognizers">): number {
	return Math.max(1, Math.floor(threads / recognizers));
}
