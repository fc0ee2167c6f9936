/**
 * A file of another device that is transcribed here: fetched, then processed by our engine for files with the jobs of its owner. Only the owner decides about
 * the result; an owner that no longer responds is dead or has given the lease to another device, and the file is discarded.
 */
import {
	EngineLost,
	type JobLane,
	type JobRequest,
	type RunningJob,
} from "../../engine/remote-job.js";
import { CodedError } from "../../errors.js";
import type { JobEvent, JobMessage, JobWork } from "../payloads/jobs.js";
import { Heartbeat } from "./heartbeat.js";
import { faultOfJob } from "./job-event-validator.js";
import type {
	JobMessageSender,
	OutgoingJobMessage,
} from "./job-message-sender.js";
import { wantedJob } from "./job-work.js";
import type { BorrowedFile } from "./sharing-port.js";

export type Grant = Extract<JobMessage, { readonly is: "grant" }>;

export interface LoanParts {
	readonly grant: Grant;
	/** From the offer. */
	readonly language: string;
	readonly sender: JobMessageSender;
	readonly lane: JobLane;
	readonly fetch: (
		url: string,
		bytes: number,
		signal: AbortSignal,
	) => Promise<BorrowedFile>;
	/** @param why the reason, where it did not end regularly. */
	readonly onEnd: (why: string | undefined) => void;
}

/** Minimum time between progress events. */
const progressMsMin = 1000;

interface LoanJob {
	/** The owner counts from 1. */
	readonly number: number;
	/** Number of its next message. */
	next: number;
	running?: RunningJob;
}

export class Loan {
	readonly #parts: LoanParts;
	readonly #abort = new AbortController();
	readonly #heartbeat: Heartbeat;
	#file: BorrowedFile | undefined;
	/** The last job received; it may be over. */
	#latest: LoanJob = { number: 0, next: 0 };
	#job: LoanJob | undefined;

	constructor(parts: LoanParts) {
		this.#parts = parts;
		const { lease_seconds } = parts.grant;
		this.#heartbeat = new Heartbeat(
			lease_seconds * 1000,
			() => this.#sendAlive(),
			() => this.end("its owner no longer responds"),
		);
		void this.#fetch();
	}

	get owner(): string {
		return this.#parts.grant.from;
	}

	onMessage(message: JobMessage): void {
		this.#heartbeat.keepAlive();
		if (message.is === "job") void this.#work(message.job, message.work);
		else if (message.is === "cancel" && this.#job?.number === message.job)
			this.#stopJob();
		else if (message.is === "end") this.end();
	}

	/** @param why where the owner did not request the end: the owner is then notified. */
	end(why?: string): void {
		if (this.#abort.signal.aborted) return;
		const { sender, grant, onEnd } = this.#parts;
		this.#abort.abort();
		this.#heartbeat.stop();
		this.#stopJob();
		if (why !== undefined)
			void sender.send(this.owner, { is: "end", lease: grant.lease });
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
			await this.#send({ is: "ready", lease: grant.lease });
		} catch (error) {
			this.end(`its audio can't be fetched: ${(error as Error).message}`);
		}
	}

	async #work(number: number, work: JobWork): Promise<void> {
		const file = this.#file;
		// a repeated message is ignored
		if (!file || this.#abort.signal.aborted || number <= this.#latest.number)
			return;
		this.#stopJob();
		const job: LoanJob = { number, next: 0 };
		this.#latest = job;
		const wanted = wantedJob(work, file.path);
		const fault = this.#faultOf(wanted);
		if (fault !== undefined) {
			this.end(`its owner sent an invalid job: ${fault}`);
			return;
		}
		this.#job = job;
		const { lease } = this.#parts.grant;
		let sentMs = 0;
		const send = (event: JobEvent) =>
			this.#send({
				is: "event",
				lease,
				job: number,
				number: job.next++,
				event,
			});
		try {
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
				const isResult = event.is !== "progress";
				if (!isResult && performance.now() - sentMs < progressMsMin) continue;
				sentMs = performance.now();
				await send(JSON.parse(JSON.stringify(event)) as JobEvent);
			}
		} catch (error) {
			if (this.#job !== job || this.#abort.signal.aborted) return;
			await this.#send({
				is: "failed",
				lease,
				job: number,
				number: job.next++,
				...failureOf(error),
			});
		}
	}

	/** With what was received and sent: the owner notices what was lost, even if nothing follows it. */
	#sendAlive(): void {
		const { lease } = this.#parts.grant;
		const { number: job, next } = this.#latest;
		void this.#send({ is: "alive", lease, ...(this.#file && { job, next }) });
	}

	#faultOf(wanted: JobRequest): string | undefined {
		const isOther =
			wanted.is === "hear" && wanted.options.language !== this.#parts.language;
		return isOther ? "another language than it offered" : faultOfJob(wanted);
	}

	#stopJob(): void {
		const job = this.#job;
		this.#job = undefined;
		job?.running?.cancel();
	}

	#send(message: OutgoingJobMessage): Promise<void> {
		return this.#parts.sender.send(this.owner, message, this.#abort.signal);
	}
}

function failureOf(error: unknown) {
	const reason = error instanceof Error ? error.message : "unknown";
	const message = reason.replace(/\p{Cc}/gu, " ").slice(0, 1000);
	return { why: whyOf(error), message };
}

function whyOf(error: unknown): "engine-died" | "task" | "device" {
	if (error instanceof EngineLost)
		return error.requested ? "device" : "engine-died";
	// no engine is available here
	if (!(error instanceof CodedError) || error.status === "100004")
		return "device";
	// an internal error of the job
	return error.status === "100003" ? "engine-died" : "task";
}
