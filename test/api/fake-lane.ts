/** A lane that recognises nothing but does what it is told: the fake at the port behind the doors. */
import { CodedError, type StatusCode } from "../../runtime/errors.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import type { Lane, Recognition } from "../../runtime/session/lane-port.js";
import type { RecognitionOptions } from "../../runtime/session/options.js";

export interface Behaviour {
	/** Refuses to open. */
	readonly refuse?: CodedError;
	/** Fails once it has got so many bytes. */
	readonly failAfterBytes?: number;
	readonly failWith?: StatusCode;
	/** Takes this long over each write before it wants more, in turns of the event loop; -1: for ever. */
	readonly stallTurns?: number;
	/** Finishes only when told by `release`. */
	readonly holdResult?: boolean;
	/** Ends before all audio has come. */
	readonly completeAfterBytes?: number;
	readonly why?: "finished" | "duration";
}

export class FakeLane implements Lane {
	behaviour: Behaviour = {};
	readonly opened: FakeRecognition[] = [];
	options: RecognitionOptions | undefined;

	async open(options: RecognitionOptions): Promise<Recognition> {
		this.options = options;
		if (this.behaviour.refuse) throw this.behaviour.refuse;
		const recognition = new FakeRecognition(this.behaviour);
		this.opened.push(recognition);
		return recognition;
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
	readonly cancelled: Promise<void>;
	readonly events: AsyncIterable<SessionEvent>;
	readonly #behaviour: Behaviour;
	#drained: () => void = () => {};
	#onCancel: () => void = () => {};
	#complete: (event: SessionEvent) => void = () => {};
	#fail: (error: Error) => void = () => {};

	constructor(behaviour: Behaviour) {
		this.#behaviour = behaviour;
		this.cancelled = new Promise((resolve) => {
			this.#onCancel = resolve;
		});
		const over = new Promise<SessionEvent>((resolve, reject) => {
			this.#complete = resolve;
			this.#fail = reject;
		});
		over.catch(() => {});
		this.events = {
			async *[Symbol.asyncIterator]() {
				yield await over;
			},
		};
	}

	write(bytes: Uint8Array): boolean {
		this.bytes += bytes.byteLength;
		const { failAfterBytes, failWith, completeAfterBytes, stallTurns } =
			this.#behaviour;
		if (failAfterBytes !== undefined && this.bytes >= failAfterBytes)
			this.#fail(new CodedError(failWith ?? "100003"));
		if (completeAfterBytes !== undefined && this.bytes >= completeAfterBytes)
			this.release();
		if (stallTurns === undefined) return true;
		if (stallTurns >= 0) this.#drainAfter(stallTurns);
		return false;
	}

	onDrain(listener: () => void): void {
		this.#drained = listener;
	}

	endSentence(): void {}

	finish(): void {
		this.finished = true;
		if (!this.#behaviour.holdResult) this.release();
	}

	cancel(): void {
		this.#onCancel();
		this.#fail(new CodedError("100003", "cancelled"));
	}

	/** The result comes now. */
	release(): void {
		this.#complete({
			is: "completed",
			text: `heard ${this.bytes} bytes`,
			confidence: 0.9,
			words: [
				{
					text: "heard",
					startMs: 10,
					endMs: 20,
					kind: "normal",
					confidence: 0.9,
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
