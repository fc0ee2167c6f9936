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
import type {
	CallbackRepository,
	CallbackRow,
	CallbackTry,
} from "../store/callbacks.js";
import { nextTrySeconds, pauseSecondsMax } from "./back-off.js";
import { repeatableBody, signatureOf } from "./callback-body.js";
import { type CallbackTransport, limitsOf } from "./callback-transport.js";
import { type CallbackTurn, CallbackTurns } from "./callback-turns.js";
import type { TaskService } from "./task-service.js";

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

	/**
	 * By the operating clock, which is never set. After a restart it lacks the time that the machine was off, and the wall clock may be wrong (1970, until a time
	 * server is reached): whichever says less counts.
	 */
	#dueSeconds({
		dueSeconds,
		dueOperatingSeconds = Number.POSITIVE_INFINITY,
	}: CallbackRow): number {
		const { clock } = this.#parts;
		const nowSeconds = clock.operatingSeconds();
		const waits = [
			dueSeconds - clock.nowSeconds(),
			dueOperatingSeconds - nowSeconds,
			pauseSecondsMax,
		];
		return nowSeconds + Math.max(0, Math.min(...waits));
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
				// its task or result can't be read now
				this.#parts.log.error({ err: error }, "failed to try a callback");
				this.#schedule(row, this.#inAMinute);
			})
			.then(() => {
				this.#tries.delete(posting);
				end();
				this.#pump();
			});
		this.#tries.add(posting);
	}

	/** @param row in force; where it is not waiting any more, only the disk did not take that yet */
	async #try(row: CallbackRow): Promise<void> {
		if (row.state !== "waiting") return this.#save(row, this.#inAMinute);
		const { log } = this.#parts;
		const { taskId } = row;
		const attempt = await this.#makeTry(row);
		if (this.#abort.signal.aborted && attempt.why !== undefined) return;
		const after = this.#after(
			{ ...row, tries: [...row.tries, attempt] },
			attempt,
		);
		const fields = { task: taskId, tries: after.tries.length, ...attempt };
		if (after.state === "delivered") log.info(fields, "callback delivered");
		else if (after.state === "given up") log.error(fields, "callback given up");
		else log.warn(fields, "callback failed, retrying later");
		const isOver = after.state !== "waiting";
		await this.#save(after, isOver ? this.#inAMinute : this.#dueSeconds(after));
	}

	/** What the disk does not take, usually because it is full, is kept in memory: nothing is posted again for that. @param nextSeconds when its turn comes again */
	async #save(row: CallbackRow, nextSeconds: number): Promise<void> {
		const { outbox, log } = this.#parts;
		let isSaved = false;
		try {
			const isThere = await outbox.update(row);
			isSaved = row.state !== "waiting" || !isThere; // one that is gone was removed with its task
		} catch (error) {
			log.error({ err: error }, "failed to save callback state");
		}
		if (isSaved) this.#turns.remove(row.taskId);
		else this.#schedule(row, nextSeconds);
	}

	get #inAMinute(): number {
		return this.#parts.clock.operatingSeconds() + sleepMsMax / 1000;
	}

	#after(row: CallbackRow, attempt: CallbackTry): CallbackRow {
		if (attempt.why === undefined) return { ...row, state: "delivered" };
		const { clock } = this.#parts;
		const ageSeconds = clock.ageSeconds({
			seconds: row.createdSeconds,
			operatingSeconds: row.createdOperatingSeconds,
		});
		const pause = nextTrySeconds(row.tries.length, ageSeconds, Math.random());
		if (pause === undefined) return { ...row, state: "given up" };
		return {
			...row,
			dueSeconds: clock.nowSeconds() + pause,
			dueOperatingSeconds: clock.operatingSeconds() + pause,
		};
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
