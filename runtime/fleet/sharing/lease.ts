/**
 * A file that another device transcribes, from its owner's point of view: a lane from which the task's run opens jobs, as from our own engine. Events are
 * passed to the run in order; a missing, late or invalid event ends the lease, and the task continues from its last stored span, here or elsewhere.
 *
 * INVARIANTS
 * - The task is written only by its run here: messages of a device that has lost its lease have no effect.
 * - Events are numbered from 0 for each job: a repeated one is ignored, a missing one loses the lease, and so does an implausible one (job-event-validator.ts).
 * - Signs of life name the last job and event: a lost one is noticed though nothing follows it, as at a broker whose receiver is just reconnecting.
 * - It ends: a device that keeps sending signs of life without progress loses it as well.
 * - Only our own engine decides that a file can't be transcribed.
 * - Nothing of it runs on our own engine, where it has no slot: a job that is too large to send ends the lease.
 */

import { EventStream } from "../../engine/event-stream.js";
import type { FileEvent } from "../../engine/file-job.js";
import {
	EngineLost,
	type JobLane,
	type JobRequest,
	type RunningJob,
} from "../../engine/remote-job.js";
import type { JobMessage } from "../payloads/jobs.js";
import { Heartbeat } from "./heartbeat.js";
import { JobEventValidator } from "./job-event-validator.js";
import type { JobMessageSender } from "./job-message-sender.js";
import { workOf } from "./job-work.js";

export type LeaseEnd =
	| { readonly is: "closed" }
	/** `isOurs`: other devices can't transcribe it. */
	| { readonly is: "lost"; readonly why: string; readonly isOurs: boolean };

export interface LeaseParts {
	readonly id: string;
	readonly taskId: string;
	/** Length of its file. */
	readonly audioMs: number;
	readonly worker: string;
	readonly leaseMs: number;
	readonly sender: JobMessageSender;
	readonly onEnd: (end: LeaseEnd) => void;
}

/** Word lists and hours of spans make a job large; brokers have limits. */
const jobBytesMax = 200 * 1024;
/** Enough for the slowest device that is of any help. */
const lifeMsMin = 600_000;
const lifeMsPerAudioMs = 20;
/** Signs of life from before a job may arrive after it was sent; this many, the length of a lease, mean that it was lost. */
const signsWithoutJobMax = 3;

interface OpenJob {
	readonly number: number;
	readonly validator: JobEventValidator;
	readonly stream: EventStream<FileEvent>;
	next: number;
	/** The broker has it. */
	isSent: boolean;
	/** Signs of life of a device that has not received it. */
	signsWithout: number;
}

type JobEventMessage = Extract<JobMessage, { readonly is: "event" | "failed" }>;
type AliveMessage = Extract<JobMessage, { readonly is: "alive" }>;

export class Lease implements JobLane {
	readonly #parts: LeaseParts;
	readonly #heartbeat: Heartbeat;
	readonly #life: NodeJS.Timeout;
	readonly #abort = new AbortController();
	#job: OpenJob | undefined;
	#jobs = 0;

	constructor(parts: LeaseParts) {
		this.#parts = parts;
		const { sender, worker, id, leaseMs, audioMs } = parts;
		this.#heartbeat = new Heartbeat(
			leaseMs,
			() => void sender.send(worker, { is: "alive", lease: id }),
			() => this.lose("the device working on it no longer responds"),
		);
		this.#life = setTimeout(
			() => this.lose("the device working on it takes too long"),
			lifeMsMin + lifeMsPerAudioMs * audioMs,
		);
	}

	get worker(): string {
		return this.#parts.worker;
	}

	get taskId(): string {
		return this.#parts.taskId;
	}

	keepAlive(): void {
		if (!this.#abort.signal.aborted) this.#heartbeat.keepAlive();
	}

	/** A sign of life. Versions that do not know the numbers send none. */
	onAlive({ job: number, next = 0 }: AliveMessage): void {
		this.keepAlive();
		const job = this.#job;
		if (!job || number === undefined) return;
		if (number === job.number && next > job.next)
			this.lose("a message of the device working on it is missing");
		if (number >= job.number || !job.isSent) return;
		if (++job.signsWithout >= signsWithoutJobMax)
			this.lose("the device working on it has not received the job");
	}

	/** Never rejects: errors are reported through the events. */
	openJob(job: JobRequest): Promise<RunningJob> {
		const work = workOf(job);
		const { id: lease, worker, sender } = this.#parts;
		const number = ++this.#jobs;
		const message = { is: "job" as const, lease, job: number, work };
		if (Buffer.byteLength(sender.written(message)) > jobBytesMax)
			this.lose("what it needs is too large to send to another device", true);
		const stream = new EventStream<FileEvent>(() => this.#cancel(number));
		const { signal } = this.#abort;
		if (signal.aborted) stream.fail(lost("the lease is over"));
		else {
			const validator = new JobEventValidator(job, this.#parts.audioMs);
			const opened = { number, validator, stream, next: 0 };
			const open: OpenJob = { ...opened, isSent: false, signsWithout: 0 };
			this.#job = open;
			void sender.send(worker, message, signal).then(() => {
				open.isSent = true;
			});
		}
		return Promise.resolve({
			events: stream,
			cancel: () => this.#cancel(number),
		});
	}

	onMessage(message: JobEventMessage): void {
		const job = this.#job;
		if (!job || message.job !== job.number || message.number < job.next) return;
		if (message.number > job.next) {
			this.lose("a message of the device working on it is missing");
			return;
		}
		job.next++;
		if (message.is === "failed") this.#fail(job, message);
		else this.#push(job, message.event);
	}

	/** The task may be given to another device. @param isOurs it must run here */
	lose(why: string, isOurs = false): void {
		if (this.#abort.signal.aborted) return;
		const job = this.#job;
		this.#end({ is: "lost", why, isOurs });
		job?.stream.fail(lost(why));
	}

	/** The run is over: the task is finished, or was stopped here. */
	close(): void {
		if (this.#abort.signal.aborted) return;
		const job = this.#job;
		this.#end({ is: "closed" });
		job?.stream.end();
	}

	#push(job: OpenJob, event: FileEvent): void {
		const fault = job.validator.fault(event);
		if (fault !== undefined) {
			this.lose(`the device working on it sent an invalid event: ${fault}`);
			return;
		}
		job.stream.push(event);
		if (event.is === "done") this.#close(job);
	}

	#fail(
		job: OpenJob,
		{ why, message }: Extract<JobEventMessage, { is: "failed" }>,
	) {
		switch (why) {
			case "device":
				this.lose(message);
				return;
			case "engine-died":
				this.#close(job, new EngineLost({ requested: false, reason: message }));
				return;
			case "task":
				this.lose(message, true);
		}
	}

	#close(job: OpenJob, error?: Error): void {
		this.#job = undefined;
		if (error) job.stream.fail(error);
		else job.stream.end();
	}

	#cancel(number: number): void {
		if (this.#job?.number !== number) return;
		const { sender, worker, id: lease } = this.#parts;
		this.#close(this.#job);
		void sender.send(worker, { is: "cancel", lease, job: number });
	}

	#end(end: LeaseEnd): void {
		const { sender, worker, id: lease, onEnd } = this.#parts;
		this.#abort.abort();
		this.#heartbeat.stop();
		clearTimeout(this.#life);
		this.#job = undefined;
		void sender.send(worker, { is: "end", lease });
		onEnd(end);
	}
}

/** Not the task's fault: the run stops, and the task is run again. */
function lost(reason: string): EngineLost {
	return new EngineLost({ requested: true, reason });
}
