/**
 * The engine process: binds the protocol to the engine. Started by the main process as `earshot engine`; it exits when the main process
 * requests it or dies. Signals from the terminal or the service manager are left to the main process, which drains the engine first.
 */
import { asCodedError, CodedError } from "../errors.js";
import type { TakenCores } from "./child/cores.js";
import type { EngineCore } from "./child/engine-core.js";
import { FileJobs } from "./child/file-jobs.js";
import type { HostedRecognition } from "./child/hosted-recognition.js";
import { IdleMemory } from "./child/idle-memory.js";
import { openEngine } from "./child/open-core.js";
import { ReceivedWordLists } from "./child/received-word-lists.js";
import { removeFolder } from "./child/spool-folder.js";
import type { EngineSettings, FromEngine, ToEngine } from "./protocol.js";
import { lowerPriority } from "./scheduling.js";

/** A recognition with nothing else to send sends a sign of life this often while it is worked on. */
const signOfLifeMs = 5000;

type Phase =
	| { readonly is: "waiting" }
	| { readonly is: "loading" }
	| {
			readonly is: "serving" | "draining";
			readonly core: EngineCore;
			readonly jobs: FileJobs;
			readonly spoolFolder: string;
	  };

/** Runs until the channel closes. */
export function runEngine(): void {
	if (!process.send)
		throw new Error("an engine is started by `earshot serve`, not by hand");
	const engine = new EngineChild();
	process.on("message", (message) => engine.onMessage(message as ToEngine));
	process.on("disconnect", () => void engine.leave());
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
		process.on(signal, () => {});
}

class EngineChild {
	readonly #recognitions = new Map<number, HostedRecognition>();
	readonly #wordLists = new ReceivedWordLists();
	#phase: Phase = { is: "waiting" };
	#refinementFailures = 0;
	readonly #idleMemory = new IdleMemory();

	onMessage(message: ToEngine): void {
		switch (message.is) {
			case "start":
				void this.#start(message.settings);
				return;
			case "ping":
				this.#answerPing(message.id);
				return;
			case "open":
				this.#open(message);
				return;
			case "word-list":
				this.#wordLists.accept(message);
				return;
			case "forget-words":
				this.#wordLists.forget(message.keys);
				return;
			case "audio":
				this.#recognitions.get(message.id)?.push(message.bytes);
				return;
			case "end-sentence":
				this.#recognitions.get(message.id)?.endSentence();
				return;
			case "finish":
				this.#recognitions.get(message.id)?.finish();
				return;
			case "job":
				this.#startJob(message);
				return;
			case "cancel":
				this.#recognitions.get(message.id)?.cancel();
				this.#jobs?.cancel(message.id);
				return;
			case "drain":
				if (this.#phase.is === "serving")
					this.#phase = { ...this.#phase, is: "draining" };
				this.#jobs?.cancelAll(); // they take hours; the next engine resumes them
				this.#leaveWhenDrained();
		}
	}

	/** Stops everything, leaves no file or process behind, and exits. */
	async leave(): Promise<void> {
		const phase = this.#phase;
		if (phase.is === "serving" || phase.is === "draining") {
			for (const recognition of this.#recognitions.values())
				recognition.cancel();
			phase.jobs.cancelAll();
			await removeFolder(phase.spoolFolder).catch(() => {});
		}
		process.exit(0);
	}

	async #start(settings: EngineSettings): Promise<void> {
		this.#phase = { is: "loading" };
		try {
			const whyNot = await lowerPriority(settings.niceness, settings.idleOnly);
			if (whyNot !== undefined)
				this.#send({
					is: "log",
					level: "info",
					message:
						"background scheduling is not available; this engine only has a lower priority",
					fields: { reason: whyNot },
				});
			const { core, workers, spoolFolder, kernels, cores } = await openEngine(
				settings,
				{
					onMissing: (error) =>
						this.#send({
							is: "log",
							level: "warn",
							message: "failed to load another copy of the recognizer",
							fields: { reason: error.message },
						}),
					onTry: (processor) => this.#sendAndWait({ is: "tries", processor }),
					onRefinementFailed: (error) => this.#onRefinementFailed(error),
					onModelFailed: (model, error) =>
						this.#send({
							is: "log",
							level: "error",
							message:
								"the model for some languages failed: the main model serves them where it can, until the next start",
							fields: { model, cause: describe(error) },
						}),
				},
			);
			this.#reportCores(cores);
			const probe = await core.probe();
			if (probe.wordsMissing.length > 0)
				throw new Error(
					`the model does not recognize its own probe clip: ${probe.wordsMissing.join(", ")} missing; run earshot models verify`,
				);
			const jobs = new FileJobs(workers, this.#wordLists, {
				onEvent: (id, event) => this.#send({ is: "job-event", id, event }),
				onFailed: (id, error) => this.#fail(id, error),
				onEnded: () => this.#onEnded(),
			});
			this.#phase = { is: "serving", core, jobs, spoolFolder };
			this.#onWorkChanged();
			this.#send({
				is: "ready",
				identity: {
					model: core.model,
					languages: core.languages,
					languageModels: core.languageModels,
					threads: cores.threads,
					processors: core.processors,
					kernels,
					rssBytes: process.memoryUsage.rss(),
					startMs: Math.round(process.uptime() * 1000),
					probe,
				},
			});
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			this.#sendAndDisconnect({ is: "broken", message });
		}
	}

	#reportCores({ cpus, leftOut, whyNot }: TakenCores): void {
		if (whyNot !== undefined)
			this.#send({
				is: "log",
				level: "warn",
				message: "failed to choose cores; the engine runs on all",
				fields: { reason: whyNot },
			});
		else if (leftOut !== "")
			this.#send({
				is: "log",
				level: "info",
				message: "some cores are not used",
				fields: { cores: cpus, leftOut },
			});
	}

	/** Each is counted, and the first described: what fails for one segment mostly fails for all. */
	#onRefinementFailed(error: unknown): void {
		this.#refinementFailures++;
		const message =
			"the second ear failed for a segment: the recognizer's own text stands; more failures are only counted, in /metrics";
		const fields = { cause: describe(error) };
		if (this.#refinementFailures === 1)
			this.#send({ is: "log", level: "error", message, fields });
	}

	#answerPing(id: number): void {
		const phase = this.#phase;
		const core =
			phase.is === "serving" || phase.is === "draining"
				? phase.core
				: undefined;
		this.#send({
			is: "pong",
			id,
			load: {
				rssBytes: process.memoryUsage.rss(),
				sessions: this.#workUnderWay,
				audioSeconds: core?.audioSeconds ?? 0,
				decodeSeconds: core?.decodeSeconds ?? 0,
				refinementFailures: this.#refinementFailures,
				languageModels: core?.languageModels ?? [],
			},
		});
	}

	#open({ id, options }: Extract<ToEngine, { is: "open" }>): void {
		if (this.#phase.is !== "serving") {
			this.#fail(id, new CodedError("100003", "the engine is not ready"));
			return;
		}
		try {
			const recognition = this.#phase.core.open(
				this.#wordLists.optionsOf(options),
				this.#listener(id),
			);
			this.#recognitions.set(id, recognition);
			this.#onWorkChanged();
		} catch (error) {
			this.#fail(id, error);
		}
	}

	#startJob(message: Extract<ToEngine, { is: "job" }>): void {
		if (this.#phase.is === "serving") {
			this.#phase.jobs.start(message);
			this.#onWorkChanged();
		} else
			this.#fail(
				message.id,
				new CodedError(
					"100004",
					"the engine is draining and accepts no new jobs",
				),
			);
	}

	get #jobs(): FileJobs | undefined {
		const phase = this.#phase;
		return phase.is === "serving" || phase.is === "draining"
			? phase.jobs
			: undefined;
	}

	get #workUnderWay(): number {
		return this.#recognitions.size + (this.#jobs?.running ?? 0);
	}

	#onWorkChanged(): void {
		this.#idleMemory.changed(this.#workUnderWay > 0);
	}

	#onEnded(): void {
		this.#onWorkChanged();
		if (this.#phase.is === "draining") this.#leaveWhenDrained();
	}

	#listener(id: number) {
		let sentMs = performance.now();
		const sendAndNote = (message: FromEngine) => {
			sentMs = performance.now();
			this.#send(message);
		};
		return {
			onEvent: (event: Extract<FromEngine, { is: "event" }>["event"]) =>
				sendAndNote({ is: "event", id, event }),
			onFailed: (error: unknown) => this.#fail(id, error),
			onUsed: (bytes: number) => {
				if (bytes > 0 || performance.now() - sentMs > signOfLifeMs)
					sendAndNote({ is: "credit", id, bytes });
			},
			onEnded: () => {
				this.#recognitions.delete(id);
				this.#onEnded();
			},
		};
	}

	#fail(id: number, error: unknown): void {
		const { status, message, cause } = asCodedError(error);
		if (cause !== undefined)
			this.#send({
				is: "log",
				level: "error",
				message: "recognition or job failed",
				fields: { status, cause: describe(cause) },
			});
		this.#send({ is: "failed", id, status, message });
	}

	#leaveWhenDrained(): void {
		if (this.#workUnderWay > 0) return;
		const message = "engine is drained";
		this.#sendAndDisconnect({ is: "log", level: "debug", message, fields: {} });
	}

	#send(message: FromEngine): void {
		if (!process.connected) return;
		// a closed channel is not an error: `disconnect` handles it
		process.send?.(message, undefined, undefined, () => {});
	}

	/** Settles once the message has been handed to the channel. */
	#sendAndWait(message: FromEngine): Promise<void> {
		return new Promise((resolve) => {
			if (process.connected)
				process.send?.(message, undefined, undefined, () => resolve());
			else resolve();
		});
	}

	/** The last message, sent after all others; `leave` follows. */
	#sendAndDisconnect(message: FromEngine): void {
		process.send?.(message, undefined, undefined, () => process.disconnect?.());
	}
}

function describe(cause: unknown): string {
	return cause instanceof Error
		? (cause.stack ?? cause.message)
		: String(cause);
}
