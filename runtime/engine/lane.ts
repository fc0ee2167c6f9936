/**
 * A lane: admission in front of one supervised engine. The API calls this.
 */
import type { UnrecognizedSpeech } from "../models/recognizer.js";
import type {
	Lane,
	Recognition,
	RecognitionCaller,
} from "../session/lane-port.js";
import type { RecognitionOptions } from "../session/options.js";
import { Admission, type AdmissionLimits } from "./admission.js";
import type { Capacity } from "./capacity.js";
import {
	type JobLane,
	type JobRequest,
	RemoteJob,
	type RunningJob,
} from "./remote-job.js";
import {
	type RecognitionLimits,
	RemoteRecognition,
} from "./remote-recognition.js";
import type { EngineSupervisor } from "./supervisor.js";
import type { SupervisorState } from "./supervisor-state.js";

/** Seconds of speech that a lane's engines gave up without a text, by reason, since the start: for `/metrics`. */
class UnrecognizedSeconds {
	readonly #seconds = new Map<string, number>();

	add(unrecognized: readonly UnrecognizedSpeech[] = []): void {
		for (const { why, seconds } of unrecognized)
			this.#seconds.set(why, (this.#seconds.get(why) ?? 0) + seconds);
	}

	get seconds(): ReadonlyMap<string, number> {
		return this.#seconds;
	}
}

export interface LaneState extends SupervisorState {
	readonly slots: number;
	readonly busy: number;
	readonly queued: number;
	/** Requests refused with 100004 since the start; not those that ask again until there is a slot. */
	readonly refused: number;
	/** Seconds of speech given up since the start, by reason. */
	readonly unrecognizedSeconds: ReadonlyMap<string, number>;
}

export interface LaneLimits
	extends Omit<AdmissionLimits, "slots">,
		RecognitionLimits {
	/** Recognitions at the same time: a number, or the measured capacity of the device. */
	readonly slots: number | Capacity;
}

export class EngineLane implements Lane, JobLane {
	readonly #supervisor: EngineSupervisor;
	readonly #admission: Admission;
	readonly #limits: RecognitionLimits;
	readonly #unrecognized = new UnrecognizedSeconds();

	constructor(supervisor: EngineSupervisor, limits: LaneLimits) {
		const { slots } = limits;
		this.#supervisor = supervisor;
		this.#admission = new Admission({
			...limits,
			slots:
				typeof slots === "number"
					? () => slots
					: () => slots.slots(supervisor.state.load, performance.now() / 1000),
		});
		this.#limits = limits;
	}

	async open(
		options: RecognitionOptions,
		caller: RecognitionCaller,
		signal?: AbortSignal,
		asksAgain = false,
	): Promise<Recognition> {
		const release = await this.#admission.acquire(caller, signal, asksAgain);
		try {
			const engine = await this.#supervisor.engine(signal);
			signal?.throwIfAborted();
			return new RemoteRecognition(
				{
					options,
					limits: this.#limits,
					nextEngine: () => this.#supervisor.engine(),
					onOver: release,
					mayReturn: () => this.#admission.mayReturn(caller),
					onUnrecognized: (unrecognized) =>
						this.#unrecognized.add(unrecognized),
				},
				engine,
			);
		} catch (error) {
			release();
			throw error;
		}
	}

	/** Jobs take no slot: how many run is decided by the owner of the file queue. */
	async openJob(job: JobRequest, signal?: AbortSignal): Promise<RunningJob> {
		const engine = await this.#supervisor.engine(signal);
		signal?.throwIfAborted();
		return new RemoteJob(
			engine,
			job,
			this.#limits.answerMsMax,
			(unrecognized) => this.#unrecognized.add(unrecognized),
		);
	}

	get state(): LaneState {
		return {
			...this.#supervisor.state,
			slots: this.#admission.slots,
			busy: this.#admission.busy,
			queued: this.#admission.queued,
			refused: this.#admission.refused,
			unrecognizedSeconds: this.#unrecognized.seconds,
		};
	}
}
