/** A lane that recognizes nothing and follows the test's instructions: the fake at the port behind the endpoints. */
import { CodedError, type StatusCode } from "../../runtime/errors.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import type {
	Lane,
	Mover,
	Recognition,
	RecognitionCaller,
} from "../../runtime/session/lane-port.js";
import type { RecognitionOptions } from "../../runtime/session/options.js";

export interface Behaviour {
	/** Refuses to open. */
	readonly refuse?: CodedError;
	/** Fails after this many bytes. */
	readonly failAfterBytes?: number;
	readonly failWith?: StatusCode;
	/** Delay of each write before more is accepted, in turns of the event loop; -1: for ever. */
	readonly stallTurns?: number;
	/** Finishes only after `release`. */
	readonly holdResult?: boolean;
	/** Ends before all audio has arrived. */
	readonly completeAfterBytes?: number;
	readonly why?: "finished" | "duration";
	readonly keepBytes?: boolean;
	/** The slot is only granted by `admit`. */
	readonly holdSlot?: boolean;
}

export class FakeLane implements Lane {
	behaviour: Behaviour = {};
	readonly opened: FakeRecognition[] = [];
	options: RecognitionOptions | undefined;
	/** Callers, in the order of their requests. */
	readonly askers: RecognitionCaller[] = [];
	/** Callers that wait for a slot. */
	waiting = 0;
	#waiters: { readonly admit: () => void; refuse(error: Error): void }[] = [];

	/** Recognitions that are neither over nor cancelled. */
	get held(): number {
		return this.opened.filter((it) => !it.over).length;
	}

	/** Grants a slot to every waiting caller. */
	admit(): void {
		for (const { admit } of this.#waiters.splice(0)) admit();
	}

	/** Refuses every waiting caller. */
	refuseWaiting(error: CodedError): void {
		for (const { refuse } of this.#waiters.splice(0)) refuse(error);
	}

	async open(
		options: RecognitionOptions,
		asker: RecognitionCaller,
		signal?: AbortSignal,
	): Promise<Recognition> {
		this.options = options;
		this.askers.push(asker);
		if (this.behaviour.refuse) throw this.behaviour.refuse;
		if (this.behaviour.holdSlot) await this.#wait(signal);
		const recognition = new FakeRecognition(this.behaviour);
		this.opened.push(recognition);
		return recognition;
	}

	async #wait(signal: AbortSignal | undefined): Promise<void> {
		this.waiting++;
		try {
			await new Promise<void>((admit, refuse) => {
				this.#waiters.push({ admit, refuse });
				signal?.addEventListener("abort", () => refuse(signal.reason));
			});
		} finally {
			this.waiting--;
		}
	}

	get last(): FakeRecognition {
		const last = this.opened.at(-1);
		if (!last) throw new Error("nothing was opened");
		return last;
	}
}

export class FakeRecognition implements Recognition {
	bytes = 0;
	finished = false;
	/** Bytes that were not processed yet; a test sets them. */
	unusedBytes = 0;
	readonly cancelled: Promise<void>;
	readonly events: AsyncIterable<SessionEvent>;
	/** Calls, in order: "12 bytes", "end-sentence", "finish". */
	readonly orders: string[] = [];
	/** Every byte written; only recorded if a test needs it. */
	readonly chunks: Uint8Array[] = [];
	over = false;
	readonly #behaviour: Behaviour;
	readonly #queue: SessionEvent[] = [];
	#error: Error | undefined;
	#wake: () => void = () => {};
	#drained: () => void = () => {};
	#mover: Mover = () => undefined;
	#onCancel: () => void = () => {};

	constructor(behaviour: Behaviour) {
		this.#behaviour = behaviour;
		this.cancelled = new Promise((resolve) => {
			this.#onCancel = resolve;
		});
		this.events = this.#read();
	}

	async *#read(): AsyncGenerator<SessionEvent> {
		for (;;) {
			for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
				yield next;
				if (next.is === "completed") return;
			}
			if (this.#error) throw this.#error;
			await new Promise<void>((wake) => {
				this.#wake = wake;
			});
		}
	}

	/** Emits an event now. */
	emit(event: SessionEvent): void {
		if (this.over) return;
		if (event.is === "completed") this.over = true;
		this.#queue.push(event);
		this.#wake();
	}

	fail(error: Error): void {
		if (this.over) return;
		this.over = true;
		this.#error = error;
		this.#wake();
	}

	/** Accepts more. */
	drain(): void {
		this.#drained();
	}

	write(bytes: Uint8Array): boolean {
		this.bytes += bytes.byteLength;
		this.orders.push(`${bytes.byteLength} bytes`);
		if (this.#behaviour.keepBytes) this.chunks.push(bytes.slice());
		const { failAfterBytes, failWith, completeAfterBytes, stallTurns } =
			this.#behaviour;
		if (failAfterBytes !== undefined && this.bytes >= failAfterBytes)
			this.fail(new CodedError(failWith ?? "100003"));
		if (completeAfterBytes !== undefined && this.bytes >= completeAfterBytes)
			this.release();
		if (stallTurns === undefined) return true;
		if (stallTurns >= 0) this.#drainAfter(stallTurns);
		return false;
	}

	onDrain(listener: () => void): void {
		this.#drained = listener;
	}

	onReplace(mover: Mover): void {
		this.#mover = mover;
	}

	/** Its engine is about to be replaced. */
	replace(): void {
		this.#mover()?.();
	}

	endSentence(): void {
		this.orders.push("end-sentence");
	}

	finish(): void {
		this.finished = true;
		this.orders.push("finish");
		if (!this.#behaviour.holdResult) this.release();
	}

	cancel(): void {
		this.#onCancel();
		this.fail(new CodedError("100003", "cancelled"));
	}

	/** Emits the result now. */
	release(): void {
		this.emit({
			is: "completed",
			text: `heard ${this.bytes} bytes`,
			confidence: 0.9,
			words: [
				{
					text: "heard",
					startMs: 10,
					endMs: 20,
					kind: "normal",
					confidence: 0.90001, // as a model has it: answers are rounded
				},
			],
			audioMs: 1000,
			why: this.#behaviour.why ?? "finished",
		});
	}

	#drainAfter(turns: number): void {
		if (turns === 0) this.#drained();
		else setImmediate(() => this.#drainAfter(turns - 1));
	}
}
