/**
 * The engine process: binds the protocol to the engine. Started by the main process as `earshot engine`; it exits when the main process
 * requests it or dies. Signals from the terminal or the service manager are left to the main process, which drains the engine first.
 */
import { CodedError } from "../errors.js";
import type { EngineCore } from "./child/engine-core.js";
import {
	RefinementFailures,
	reportCores,
	reportPriority,
	reportsTo,
} from "./child/engine-reports.js";
import { FileJobs } from "./child/file-jobs.js";
import type { HostedRecognition } from "./child/hosted-recognition.js";
import { IdleMemory } from "./child/idle-memory.js";
import { send, sendAndDisconnect, sendFailure } from "./child/main-channel.js";
import { openEngine } from "./child/open-core.js";
import { ReceivedWordLists } from "./child/received-word-lists.js";
import { removeFolder } from "./child/spool-folder.js";
import type { EngineSettings, FromEngine, ToEngine } from "./protocol.js";
import { lowerPriority } from "./scheduling.js";

/** A recognition with nothing else to send sends a sign of life this often while it is worked on, or waits behind what is. */
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
	readonly #refinementFailures = new RefinementFailures();
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
			reportPriority(await lowerPriority(settings.niceness, settings.idleOnly));
			const { core, workers, spoolFolder, kernels, cores } = await openEngine(
				settings,
				reportsTo(this.#refinementFailures),
			);
			reportCores(cores);
			const probe = await core.probe();
			if (probe.wordsMissing.length > 0)
				throw new Error(
					`the model does not recognize its own probe clip: ${probe.wordsMissing.join(", ")} missing; run earshot models verify`,
				);
			const jobs = new FileJobs(workers, this.#wordLists, {
				onEvent: (id, event) => send({ is: "job-event", id, event }),
				onFailed: (id, error) => sendFailure(id, error),
				onEnded: () => this.#onEnded(),
			});
			this.#phase = { is: "serving", core, jobs, spoolFolder };
			this.#onWorkChanged();
			send({
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
			sendAndDisconnect({ is: "broken", message });
		}
	}

	#answerPing(id: number): void {
		const phase = this.#phase;
		const core =
			phase.is === "serving" || phase.is === "draining"
				? phase.core
				: undefined;
		send({
			is: "pong",
			id,
			load: {
				rssBytes: process.memoryUsage.rss(),
				sessions: this.#workUnderWay,
				audioSeconds: core?.audioSeconds ?? 0,
				decodeSeconds: core?.decodeSeconds ?? 0,
				refinementFailures: this.#refinementFailures.count,
				languageModels: core?.languageModels ?? [],
			},
		});
	}

	#open({ id, options }: Extract<ToEngine, { is: "open" }>): void {
		if (this.#phase.is !== "serving") {
			sendFailure(id, new CodedError("100003", "the engine is not ready"));
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
			sendFailure(id, error);
		}
	}

	#startJob(message: Extract<ToEngine, { is: "job" }>): void {
		if (this.#phase.is === "serving") {
			this.#phase.jobs.start(message);
			this.#onWorkChanged();
		} else
			sendFailure(
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
			send(message);
		};
		return {
			onEvent: (event: Extract<FromEngine, { is: "event" }>["event"]) =>
				sendAndNote({ is: "event", id, event }),
			onFailed: (error: unknown) => sendFailure(id, error),
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

	#leaveWhenDrained(): void {
		if (this.#workUnderWay > 0) return;
		const message = "engine is drained";
		sendAndDisconnect({ is: "log", level: "debug", message, fields: {} });
	}
}
