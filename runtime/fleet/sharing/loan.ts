/**
 * A file of another device that is worked on here: fetched, then heard by our engine for files as its owner's run asks. The owner alone knows what becomes of it;
 * one that says nothing any more is dead or has given the lease to somebody else, and the file is put away.
 */
import type { FileSource } from "../../engine/file-job.js";
import {
	EngineLost,
	type JobLane,
	type RunningJob,
	type WantedJob,
} from "../../engine/remote-job.js";
import { CodedError } from "../../errors.js";
import { type AudioFormat, audioFormats } from "../../session/options.js";
import type { JobEvent, JobMessage, JobWork } from "../payloads/jobs.js";
import { Heartbeat } from "./heartbeat.js";
import type { Post, Saying } from "./post.js";
import type { BorrowedFile } from "./sharing-port.js";

export type Grant = Extract<JobMessage, { readonly is: "grant" }>;

export interface LoanParts {
	readonly grant: Grant;
	readonly post: Post;
	readonly lane: JobLane;
	readonly fetch: (
		url: string,
		bytes: number,
		signal: AbortSignal,
	) => Promise<BorrowedFile>;
	/** @param why in words, where it did not end well. */
	readonly onEnd: (why: string | undefined) => void;
}

/** Between two that say nothing but how far it is. */
const progressMsMin = 1000;

export class Loan {
	readonly #parts: LoanParts;
	readonly #abort = new AbortController();
	readonly #heartbeat: Heartbeat;
	#file: BorrowedFile | undefined;
	#job: { readonly number: number; running?: RunningJob } | undefined;

	constructor(parts: LoanParts) {
		this.#parts = parts;
		const { lease, lease_seconds } = parts.grant;
		this.#heartbeat = new Heartbeat(
			lease_seconds * 1000,
			() => void this.#say({ is: "alive", lease }),
			() => this.end("its owner says nothing any more"),
		);
		void this.#fetch();
	}

	get owner(): string {
		return this.#parts.grant.from;
	}

	accept(message: JobMessage): void {
		this.#heartbeat.heard();
		if (message.is === "job") void this.#work(message.job, message.work);
		else if (message.is === "cancel" && this.#job?.number === message.job)
			this.#stopJob();
		else if (message.is === "end") this.end();
	}

	/** @param why where its owner did not ask for it: then it is told. */
	end(why?: string): void {
		if (this.#abort.signal.aborted) return;
		const { post, grant, onEnd } = this.#parts;
		this.#abort.abort();
		this.#heartbeat.stop();
		this.#stopJob();
		if (why !== undefined)
			void post.send(this.owner, { is: "end", lease: grant.lease });
		onEnd(why);
		void this.#file?.discard();
	}

	async #fetch(): Promise<void> {
		const { grant, fetch } = this.#parts;
		const { signal } = this.#abort;
		try {
			const file = await fetch(grant.url, grant.bytes, signal);
			if (signal.aborted) {
				await file.discard();
				return;
			}
			this.#file = file;
			await this.#say({ is: "ready", lease: grant.lease });
		} catch (error) {
			this.end(`its audio can't be fetched: ${(error as Error).message}`);
		}
	}

	async #work(number: number, work: JobWork): Promise<void> {
		const file = this.#file;
		if (!file || this.#abort.signal.aborted) return;
		this.#stopJob();
		const job: { readonly number: number; running?: RunningJob } = { number };
		this.#job = job;
		const { lease } = this.#parts.grant;
		let next = 0;
		let toldMs = 0;
		const tell = (event: JobEvent) =>
			this.#say({ is: "event", lease, job: number, number: next++, event });
		try {
			const wanted = wantedJob(work, file.path);
			const running = await this.#parts.lane.openJob(
				wanted,
				this.#abort.signal,
			);
			if (this.#job !== job) {
				running.cancel();
				return;
			}
			job.running = running;
			for await (const event of running.events) {
				const isNews = event.is !== "progress";
				if (!isNews && performance.now() - toldMs < progressMsMin) continue;
				toldMs = performance.now();
				await tell(JSON.parse(JSON.stringify(event)) as JobEvent);
			}
		} catch (error) {
			if (this.#job !== job || this.#abort.signal.aborted) return;
			await this.#say({
				is: "failed",
				...{ lease, job: number, number: next++ },
				...failureOf(error),
			});
		}
	}

	#stopJob(): void {
		const job = this.#job;
		this.#job = undefined;
		job?.running?.cancel();
	}

	#say(saying: Saying): Promise<void> {
		return this.#parts.post.send(this.owner, saying, this.#abort.signal);
	}
}

function failureOf(error: unknown) {
	const message =
		error instanceof Error ? error.message.slice(0, 1000) : "unknown";
	if (error instanceof EngineLost)
		return {
			why: error.wanted ? ("device" as const) : ("engine-died" as const),
			status: "220500",
			message,
		};
	if (!(error instanceof CodedError))
		return { why: "device" as const, status: "100003", message };
	const { status } = error;
	// no engine is to be had here, or a job in it broke
	if (status === "100004") return { why: "device" as const, status, message };
	if (status === "100003")
		return { why: "engine-died" as const, status, message };
	return { why: "task" as const, status, message };
}

function wantedJob(work: JobWork, path: string): WantedJob {
	const source: FileSource = {
		...work.source,
		format: formatOf(work.source.format),
		path,
	};
	if (work.is === "voices") return { ...work, source };
	const { options, ...rest } = work;
	// checked by the schema; the language is one of those that we offered
	return { ...rest, source, options } as WantedJob;
}

function formatOf(format: string): AudioFormat {
	const known = audioFormats.find((it) => it === format);
	if (!known) throw new CodedError("200006");
	return known;
}
