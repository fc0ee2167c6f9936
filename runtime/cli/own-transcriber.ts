/** The local counterpart of an appliance for `earshot listen`: an engine in a child process whose results have the same form. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EarshotError, type Result } from "../client/earshot-client.js";
import type { Config } from "../config/schema.js";
import { createLane } from "../engine/from-config.js";
import type { LogPort } from "../log/log-port.js";
import type { SessionEvent, Utterance } from "../session/events.js";
import { localDevice, type Recognition } from "../session/lane-port.js";
import type { RecognitionOptions } from "../session/options.js";

/** A streaming session, of an appliance or a local engine. */
export interface Transcriber extends AsyncIterable<Result> {
	/** @returns false once the session has ended. */
	send(bytes: Uint8Array): Promise<boolean>;
	/** No more audio follows. Resolves when all results have arrived. */
	stop(): Promise<unknown>;
	/** Closes at once. */
	close(): void;
}

const quiet = () => {};
const log: LogPort = {
	debug: quiet,
	info: quiet,
	warn: quiet,
	error: quiet,
};
const engineStopMs = 1000;
const loadSecondsMax = 60;

/** @throws EarshotError where there is no working model. */
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
			// a local listener waits for the models instead of being refused
			engine: { ...config.engine, queue_wait_seconds: loadSecondsMax },
		},
		log,
	);
	const end = () => supervisor.stop(engineStopMs);
	supervisor.start();
	try {
		await supervisor.engine(signal);
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
		case "wake": {
			const { phrase: text, beginMs, confidence, audioMs: timeMs } = event;
			const fields = { index: 0, words: [] };
			return {
				is: "wake",
				...session,
				...fields,
				timeMs,
				beginMs,
				text,
				confidence,
			};
		}
		case "sleep":
			return { is: "sleep", index: 0, timeMs: event.audioMs, ...session };
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
			const fields = { index: 0, timeMs: audioMs, beginMs: 0, words: [] };
			return { is: "completed", ...session, ...fields, text, confidence };
		}
	}
}

function spokenOf({ index, beginMs, text, words }: Utterance) {
	return {
		...session,
		index,
		beginMs,
		text,
		words: words.map((word) => ({
			word: word.text,
			start_time: word.startMs,
			end_time: word.endMs,
			type: word.kind,
			confidence: word.confidence,
		})),
	};
}
