/**
 * Delivers callbacks: posts what is due in the outbox and records each try. The task itself does not depend on any of it.
 *
 * INVARIANTS
 * - A callback is tried until the receiver answers 2xx, or for a day and at least eight times (back-off.ts), across restarts.
 * - It is delivered at least once: a try whose answer was lost in a restart is repeated.
 * - Redirects are not followed.
 * - A slow or silent receiver delays no other one (callback-turns.ts).
 */
import type { Clock } from "../clock/clock.js";
import type { LogPort } from "../log/log-port.js";
import type { OutboundLimits } from "../outbound/outbound-request.js";
import type {
	CallbackRepository,
	CallbackRow,
	CallbackTry,
} from "../store/callbacks.js";
import { nextTrySeconds, pauseSecondsMax } from "./back-off.js";
import { repeatableBody, signatureOf } from "./callback-body.js";
import { type CallbackTurn, CallbackTurns } from "./callback-turns.js";
import type { TaskService } from "./task-service.js";

/** Outbound requests under the policy of `runtime/outbound`. */
export interface CallbackTransport {
	/** @returns the answer, once its headers have arrived. @throws Error with a message of one sentence */
	send(
		url: string,
		request: {
			readonly method: "POST";
			readonly headers: Readonly<Record<string, string>>;
			readonly body: AsyncIterable<string>;
			readonly redirectsMax: 0;
			readonly limits: OutboundLimits;
			readonly signal: AbortSignal;
		},
	): Promise<{ readonly status: number; close(): void }>;
}

export interface CallbackParts {
	readonly outbox: CallbackRepository;
	readonly tasks: Pick<TaskService, "find" | "result">;
	readonly transport: CallbackTransport;
	/** `callback.secret`; empty: not signed. */
	readonly secret: string;
	readonly clock: Clock;
	readonly timeText: (unixSeconds: number) => string;
	readonly log: LogPort;
}

const connectSecondsMax = 10;
const answerSecondsMax = 10;
/** Slowest uplink that long transcripts get through: 128 kbit/s. */
const bytesPerSecondMin = 16 * 1024;
/** Of these the kernel may say that they were sent while they still wait for a slow uplink. */
const bytesUnderWayMax = 512 * 1024;
/** Longest sleep. */
const sleepMsMax = 60_000;
/** Owner of a callback whose task no longer exists: it will not be sent. */
const noOwner = "";

export class Callbacks {
	readonly #parts: CallbackParts;
	readonly #turns = new CallbackTurns();
	/** Tries in progress. */
	readonly #tries = new Set<Promise<void>>();
	readonly #abort = new AbortController();
	#timer: NodeJS.Timeout | undefined;

	constructor(parts: CallbackParts) {
		this.#parts = parts;
	}

	/** Resumes the pending callbacks. */
	async start(): Promise<void> {
		for await (const { taskId, state } of this.#parts.outbox.list())
			if (state === "waiting") this.#refresh(taskId);
		this.#pump();
	}

	/** Aborts tries in progress; they are repeated after the next start. */
	async stop(): Promise<void> {
		this.#abort.abort();
		clearTimeout(this.#timer);
		await Promise.all(this.#tries);
	}

	/** A task was finished, or removed. */
	onTaskChanged(taskId: string): void {
		this.#refresh(taskId);
		this.#pump();
	}

	/** Callbacks that are not delivered yet. */
	get waiting(): number {
		return this.#turns.size;
	}

	/** @param dueSeconds by the operating clock, like `#dueSeconds` */
	#schedule(row: CallbackRow, dueSeconds = this.#dueSeconds(row)): void {
		const owner = this.#parts.tasks.find(row.taskId)?.owner;
		this.#turns.put(row, owner ?? noOwner, dueSeconds);
	}

	/** Converts to the operating clock, which is never set; the row's wall clock may have been set since it was written. */
	#dueSeconds({ dueSeconds }: CallbackRow): number {
		const { clock } = this.#parts;
		const seconds = Math.max(0, dueSeconds - clock.nowSeconds());
		return clock.operatingSeconds() + Math.min(seconds, pauseSecondsMax);
	}

	#refresh(taskId: string): void {
		const row = this.#parts.outbox.find(taskId);
		if (row?.state === "waiting") this.#schedule(row);
		else this.#turns.remove(taskId);
	}

	#pump(): void {
		clearTimeout(this.#timer);
		if (this.#abort.signal.aborted) return;
		const now = this.#parts.clock.operatingSeconds();
		for (;;) {
			const turn = this.#turns.take(now);
			if (!turn) break;
			this.#post(turn);
		}
		const nextSeconds = this.#turns.nextDueSeconds(now);
		if (nextSeconds === undefined) return;
		const waitMs = Math.min((nextSeconds - now) * 1000, sleepMsMax);
		this.#timer = setTimeout(() => this.#pump(), waitMs + 1);
	}

	#post({ row, end }: CallbackTurn): void {
		const posting = this.#try(row)
			.catch((error: unknown) => {
				// the store failed: tried again, whether the row was written or not
				this.#parts.log.error({ err: error }, "failed to save callback state");
				const dueSeconds = this.#parts.clock.nowSeconds() + sleepMsMax / 1000;
				this.#schedule({ ...row, dueSeconds });
			})
			.then(() => {
				this.#tries.delete(posting);
				end();
				this.#pump();
			});
		this.#tries.add(posting);
	}

	async #try(row: CallbackRow): Promise<void> {
		const { outbox, log } = this.#parts;
		const { taskId } = row;
		const attempt = await this.#makeTry(row);
		if (this.#abort.signal.aborted && attempt.why !== undefined) return;
		const after = this.#after(
			{ ...row, tries: [...row.tries, attempt] },
			attempt,
		);
		const dueSeconds = this.#dueSeconds(after);
		if (!(await outbox.update(after))) {
			this.#turns.remove(taskId); // removed with its task
			return;
		}
		if (after.state === "waiting") this.#schedule(after, dueSeconds);
		else this.#turns.remove(taskId);
		const fields = { task: taskId, tries: after.tries.length, ...attempt };
		if (after.state === "delivered") log.info(fields, "callback delivered");
		else if (after.state === "given up") log.error(fields, "callback given up");
		else log.warn(fields, "callback failed, retrying later");
	}

	#after(row: CallbackRow, attempt: CallbackTry): CallbackRow {
		if (attempt.why === undefined) return { ...row, state: "delivered" };
		const { clock } = this.#parts;
		const ageSeconds = clock.ageSeconds({
			seconds: row.createdSeconds,
			operatingSeconds: row.createdOperatingSeconds,
		});
		const pause = nextTrySeconds(row.tries.length, ageSeconds, Math.random());
		return pause === undefined
			? { ...row, state: "given up" }
			: { ...row, dueSeconds: clock.nowSeconds() + pause };
	}

	async #makeTry({ taskId, url }: CallbackRow): Promise<CallbackTry> {
		const atSeconds = this.#parts.clock.nowSeconds();
		const sinceMs = performance.now();
		const tryFields = () => ({
			atSeconds,
			tookMs: Math.round(performance.now() - sinceMs),
		});
		try {
			const http = await this.#send(taskId, url);
			const isDelivered = http >= 200 && http < 300;
			return {
				...tryFields(),
				http,
				...(!isDelivered && { why: `the receiver answered ${http}` }),
			};
		} catch (error) {
			const why = error instanceof Error ? error.message : String(error);
			return { ...tryFields(), why };
		}
	}

	/** @returns the answer's status. */
	async #send(taskId: string, url: string): Promise<number> {
		const { tasks, transport, secret, timeText } = this.#parts;
		const task = tasks.find(taskId);
		if (!task) throw new Error("the task no longer exists");
		const body = repeatableBody(task, tasks.result(taskId), timeText);
		const { signature, bytes } = await signatureOf(body(), secret);
		const answer = await transport.send(url, {
			method: "POST",
			headers: {
				"Content-Type": "application/json; charset=utf-8",
				"Content-Length": String(bytes),
				...(secret !== "" && { "X-Earshot-Signature": signature }),
			},
			body: body(),
			redirectsMax: 0,
			limits: limitsOf(bytes),
			signal: this.#abort.signal,
		});
		answer.close();
		return answer.status;
	}
}

/** Limits of one try. @param bytes of the body */
function limitsOf(bytes: number): OutboundLimits {
	const secondsOf = (sent: number) => Math.ceil(sent / bytesPerSecondMin);
	const quietSecondsMax =
		answerSecondsMax + secondsOf(Math.min(bytes, bytesUnderWayMax));
	return {
		connectSecondsMax,
		headersSecondsMax: quietSecondsMax,
		idleSecondsMax: quietSecondsMax,
		pieceSecondsMax: answerSecondsMax,
		secondsMax: connectSecondsMax + secondsOf(bytes) + answerSecondsMax,
		bytesMax: 64 * 1024,
	};
}
