/**
 * A recognition that runs in an engine process: sends audio as the process uses it up, passes its events to the reader, and
 * survives the death of the process where that is safe.
 *
 * Safe means: all bytes are still here (at most `retryBytesMax`), no final was emitted yet, and it is the first retry. Then the audio is
 * sent again to the next engine; segments already announced to the reader are not announced again. Otherwise the reader gets 100003.
 *
 * Live speech (`streamed`) is never retried: its audio is not kept, and the reader gets 230004.
 */
import { asCodedError, CodedError } from "../errors.js";
import type { UnrecognizedSpeech } from "../models/recognizer.js";
import type { SessionEvent } from "../session/events.js";
import type { Mover, Recognition } from "../session/lane-port.js";
import type { RecognitionOptions } from "../session/options.js";
import { listsOf } from "../words/referred-lists.js";
import { CreditedAudio } from "./credited-audio.js";
import type { EngineProcess, RecognitionMessage } from "./engine-process.js";
import { EventStream } from "./event-stream.js";
import { sentOptions } from "./sent-word-lists.js";

export interface RecognitionLimits {
	/** Bytes of audio kept for a second try. */
	readonly retryBytesMax: number;
	/** How long an engine that owes an answer may stay silent. */
	readonly answerMsMax: number;
}

export interface RecognitionContext {
	readonly options: RecognitionOptions;
	readonly limits: RecognitionLimits;
	/** The next engine that is ready, after the first one died. */
	readonly nextEngine: () => Promise<EngineProcess>;
	/** The recognition has ended, for whatever reason. */
	readonly onOver: () => void;
	/** Another one that is opened when this one has ended gets its slot. */
	readonly mayReturn: () => boolean;
	/** Speech was given up without a text. */
	readonly onUnrecognized: (
		unrecognized: readonly UnrecognizedSpeech[],
	) => void;
}

type Phase =
	| {
			readonly is: "placed";
			readonly engine: EngineProcess;
			readonly id: number;
	  }
	/** The engine is being sent the word lists. */
	| {
			readonly is: "supplying";
			readonly engine: EngineProcess;
			readonly id: number;
	  }
	/** The engine died; waiting for the next one. */
	| { readonly is: "moving" }
	| { readonly is: "over" };

export class RemoteRecognition implements Recognition {
	readonly #context: RecognitionContext;
	readonly #stream: EventStream<SessionEvent>;
	readonly #drainListeners = new Set<() => void>();
	readonly #audio: CreditedAudio;
	#phase: Phase = { is: "moving" };
	#finish: "no" | "wanted" | "sent" = "no";
	#segmentsAnnounced = 0;
	#isSpeech = false;
	#onReplace: Mover | undefined;
	#answerTimer: NodeJS.Timeout | undefined;

	constructor(context: RecognitionContext, engine: EngineProcess) {
		const { options, limits } = context;
		this.#context = context;
		this.#audio = new CreditedAudio(
			options.streamed ? undefined : limits.retryBytesMax,
		);
		this.#stream = new EventStream(() => this.cancel());
		this.#place(engine);
	}

	get events(): AsyncIterable<SessionEvent> {
		return this.#stream;
	}

	write(bytes: Uint8Array): boolean {
		if (this.#phase.is === "over" || this.#finish !== "no") return true;
		if (bytes.length > 0) {
			this.#audio.write(bytes);
			this.#flush();
		}
		return this.#audio.hasRoom;
	}

	onDrain(listener: () => void): void {
		this.#drainListeners.add(listener);
	}

	onReplace(mover: Mover): void {
		this.#onReplace = mover;
	}

	endSentence(): void {
		if (this.#phase.is === "over" || this.#finish !== "no") return;
		if (this.#audio.endSentence()) this.#flush();
	}

	finish(): void {
		if (this.#phase.is === "over" || this.#finish !== "no") return;
		this.#finish = "wanted";
		this.#flush();
	}

	cancel(): void {
		if (this.#phase.is === "placed")
			this.#phase.engine.send({ is: "cancel", id: this.#phase.id });
		this.#stream.end();
		this.#leave();
	}

	get unusedBytes(): number {
		return this.#audio.unusedBytes;
	}

	#place(engine: EngineProcess): void {
		const id = engine.attach({
			onMessage: (message) => this.#onMessage(message),
			onLost: () => this.#onLost(),
			mover: () => this.#mover(),
		});
		const supplying: Phase = { is: "supplying", engine, id };
		this.#phase = supplying;
		const { options } = this.#context;
		engine.supply(listsOf(options), () => {
			if (this.#phase !== supplying) return; // over, or the engine is dead
			this.#phase = { is: "placed", engine, id };
			engine.send({ is: "open", id, options: sentOptions(options) });
			this.#flush();
		});
	}

	#mover(): (() => void) | undefined {
		if (this.#isSpeech || this.#finish !== "no") return undefined;
		if (!this.#stream.isRead || !this.#context.mayReturn()) return undefined;
		return this.#onReplace?.();
	}

	/** Sends as much as the engine has credit for. */
	#flush(): void {
		const phase = this.#phase;
		if (phase.is !== "placed") return;
		const { engine, id } = phase;
		for (;;) {
			const piece = this.#audio.take();
			if (piece === undefined) break;
			if (piece === "sentence-end") engine.send({ is: "end-sentence", id });
			else engine.send({ is: "audio", id, bytes: piece });
		}
		if (this.#finish === "wanted" && this.#audio.isSent) {
			this.#finish = "sent";
			engine.send({ is: "finish", id });
		}
		this.#watch();
	}

	#onMessage(message: RecognitionMessage): void {
		this.#watch();
		switch (message.is) {
			case "credit":
				this.#audio.credit(message.bytes);
				this.#flush();
				if (this.#audio.hasRoom)
					for (const listen of this.#drainListeners) listen();
				return;
			case "failed":
				this.#fail(
					message.status === "100003"
						? this.#engineFailure(message.message)
						: new CodedError(message.status, message.message),
				);
				return;
			case "event":
				this.#emit(message.event);
		}
	}

	#emit(event: SessionEvent): void {
		if (event.is === "speech-begin") {
			this.#isSpeech = true;
			if (event.index <= this.#segmentsAnnounced) return; // announced before the engine died
			this.#segmentsAnnounced = event.index;
		}
		if (event.is === "final") {
			this.#isSpeech = false;
			this.#audio.forget();
			if (event.unrecognized) this.#context.onUnrecognized(event.unrecognized);
		}
		// a slow reader needs only the latest partial
		if (event.is === "partial") this.#stream.replaceLast(event, isPartial);
		else this.#stream.push(event);
		if (event.is !== "completed") return;
		this.#stream.end();
		this.#leave();
	}

	#onLost(): void {
		// one retry only
		if (!this.#audio.rewind()) {
			this.#fail(this.#engineFailure("the recognition engine failed"));
			return;
		}
		if (this.#finish === "sent") this.#finish = "wanted";
		this.#phase = { is: "moving" };
		clearTimeout(this.#answerTimer);
		this.#context.nextEngine().then(
			(engine) => {
				if (this.#phase.is === "moving") this.#place(engine);
			},
			(error) =>
				this.#fail(this.#engineFailure("the recognition engine failed", error)),
		);
	}

	/** A failure on our side, with the status for the kind of request. */
	#engineFailure(message: string, cause?: unknown): CodedError {
		const status = this.#context.options.streamed ? "230004" : "100003";
		return new CodedError(status, message, { cause });
	}

	#fail(error: unknown): void {
		this.#stream.fail(asCodedError(error));
		this.#leave();
	}

	/** An engine that owes something must show a sign of life in time. */
	#watch(): void {
		clearTimeout(this.#answerTimer);
		if (this.#audio.isUsed && this.#finish !== "sent") return;
		this.#answerTimer = setTimeout(() => {
			const late = this.#engineFailure("the engine did not answer in time");
			if (this.#phase.is === "placed")
				this.#phase.engine.send({ is: "cancel", id: this.#phase.id });
			this.#fail(late);
		}, this.#context.limits.answerMsMax);
	}

	#leave(): void {
		if (this.#phase.is === "over") return;
		const phase = this.#phase;
		this.#phase = { is: "over" };
		clearTimeout(this.#answerTimer);
		this.#drainListeners.clear();
		this.#audio.end();
		if (phase.is === "placed" || phase.is === "supplying")
			phase.engine.detach(phase.id);
		this.#context.onOver();
	}
}

function isPartial(event: SessionEvent): boolean {
	return event.is === "partial";
}
