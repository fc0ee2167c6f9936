/**
 * What `earshot listen` speaks to where no appliance runs: an engine of its own, in a process beside this one, that answers as an appliance would.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EarshotError, type Result } from "../client/earshot-client.js";
import type { Config } from "../config/schema.js";
import { createLane } from "../engine/from-config.js";
import type { EngineLog } from "../engine/log-port.js";
import type { SessionEvent, Utterance } from "../session/events.js";
import { localDevice, type Recognition } from "../session/lane-port.js";
import type { RecognitionOptions } from "../session/options.js";

/** A streaming session, wherever it is recognised. */
export interface Transcriber extends AsyncIterable<Result> {
	/** @returns false when nothing is listened to any more. */
	send(bytes: Uint8Array): Promise<boolean>;
	/** No more is said. Resolves when all was answered. */
	stop(): Promise<unknown>;
	/** At once. */
	close(): void;
}

const quiet = () => {};
const log: EngineLog = {
	debug: quiet,
	info: quiet,
	warn: quiet,
	error: quiet,
};
const engineStopMs = 1000;
const loadSecondsMax = 60;

/** @throws EarshotError where there is no model, or none that works. */
export async function openOwnTranscriber(
	config: Config,
	options: RecognitionOptions,
	signal: AbortSignal,
): Promise<Transcriber> {
	const folder = mkdtempSync(join(tmpdir(), "earshot-"));
	process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
	const { lane, supervisor } = createLane(
		"live",
		{
			...config,
			state: { ...config.state, dir: folder },
			// nobody is to be refused: who listens waits for the models
			engine: { ...config.engine, queue_wait_seconds: loadSecondsMax },
		},
		log,
	);
	const end = () => supervisor.stop(engineStopMs);
	supervisor.start();
	try {
		await supervisor.engine();
		const recognition = await lane.open(options, localDevice, signal);
		signal.addEventListener("abort", () => recognition.cancel());
		return new OwnTranscriber(recognition, end);
	} catch (error) {
		const why = supervisor.state.lastDeath ?? (error as Error).message;
		await end();
		throw new EarshotError("", why);
	}
}

class OwnTranscriber implements Transcriber {
	readonly #recognition: Recognition;
	readonly #end: () => Promise<void>;
	readonly #ended: Promise<void>;
	#markEnded = () => {};
	#drained: Promise<void> = Promise.resolve();
	#over = false;

	constructor(recognition: Recognition, end: () => Promise<void>) {
		this.#recognition = recognition;
		this.#end = end;
		this.#ended = new Promise((resolve) => {
			this.#markEnded = resolve;
		});
	}

	async send(bytes: Uint8Array): Promise<boolean> {
		await this.#drained;
		if (this.#over) return false;
		if (!this.#recognition.write(bytes))
			this.#drained = new Promise((resolve) => {
				this.#recognition.onDrain(resolve);
				void this.#ended.then(resolve);
			});
		return true;
	}

	async stop(): Promise<void> {
		this.#recognition.finish();
		await this.#ended;
	}

	close(): void {
		this.#recognition.cancel();
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<Result, void, undefined> {
		try {
			for await (const event of this.#recognition.events) yield resultOf(event);
		} finally {
			this.#over = true;
			await this.#end();
			this.#markEnded();
		}
	}
}

const session = { taskId: "", status: "000000" };

function resultOf(event: SessionEvent): Result {
	switch (event.is) {
		case "speech-begin": {
			const { index, atMs } = event;
			return { is: "sentence-begin", index, timeMs: atMs, ...session };
		}
		case "partial":
			return {
				is: "partial",
				timeMs: event.audioMs,
				...spokenOf(event.utterance),
			};
		case "final":
			return {
				is: "sentence",
				timeMs: event.audioMs,
				...spokenOf(event.utterance),
				confidence: event.utterance.confidence,
			};
		case "completed": {
			const { audioMs, confidence, text } = event;
			const told = { index: 0, timeMs: audioMs, beginMs: 0, words: [] };
			return { is: "completed", ...session, ...told, text, confidence };
		}
	}
}

function spokenOf({ index, beginMs, text, words }: Utterance) {
	return {
		...session,
		...{ index, beginMs, text },
		words: words.map((word) => ({
			word: word.text,
			start_time: word.startMs,
			end_time: word.endMs,
			type: word.kind,
			confidence: word.confidence,
		})),
	};
}
