/**
 * Feeds one session's audio into a recognition of the lane. Audio that arrives before the slot is granted is queued in order; when too much is queued here or
 * in the lane, the socket is held.
 */
import { asCodedError, type CodedError } from "../../errors.js";
import type { SessionEvent } from "../../session/events.js";
import type {
	Lane,
	Recognition,
	RecognitionCaller,
} from "../../session/lane-port.js";
import type { RecognitionOptions } from "../../session/options.js";
import type { LiveSocket } from "../live-socket.js";
import { FrameGatherer } from "./frame-gatherer.js";

/** Queued while the slot is requested: eight seconds of 16 kHz PCM. */
const keptBytesMax = 256 * 1024;

export type FeedEvent =
	/** The slot is held. */
	| { readonly is: "opened" }
	/** No slot is free, or this caller may not have one. It is over, as after "failed". */
	| { readonly is: "refused"; readonly error: CodedError }
	| { readonly is: "recognized"; readonly event: SessionEvent }
	| { readonly is: "failed"; readonly error: CodedError };

type FeedItem = Uint8Array | "end-sentence" | "finish";

type Phase =
	| { readonly is: "opening"; readonly items: FeedItem[] }
	| { readonly is: "open"; readonly recognition: Recognition }
	| { readonly is: "over" };

export class AudioFeed {
	readonly #socket: Pick<LiveSocket, "hold" | "release">;
	readonly #onEvent: (event: FeedEvent) => void;
	readonly #abort = new AbortController();
	readonly #frames = new FrameGatherer((bytes) => this.#write(bytes));
	#phase: Phase = { is: "opening", items: [] };
	#keptBytes = 0;
	#holding = false;
	#drained = false;

	constructor(
		lane: Lane,
		options: RecognitionOptions,
		caller: RecognitionCaller,
		socket: Pick<LiveSocket, "hold" | "release">,
		onEvent: (event: FeedEvent) => void,
	) {
		this.#socket = socket;
		this.#onEvent = onEvent;
		lane.open(options, caller, this.#abort.signal).then(
			(recognition) => this.#onOpen(recognition),
			(error) => {
				if (this.#phase.is !== "opening") return;
				this.#end();
				onEvent({ is: "refused", error: asCodedError(error) });
			},
		);
	}

	/** The socket is held: the client can't send more. */
	get holding(): boolean {
		return this.#holding;
	}

	/** @param bytes copied. */
	write(bytes: Uint8Array): void {
		if (this.#phase.is !== "over") this.#frames.accept(bytes);
	}

	endSentence(): void {
		this.#enqueue("end-sentence");
	}

	/** No more audio comes. */
	finish(): void {
		this.#enqueue("finish");
	}

	/** Idempotent; no more events come. */
	cancel(): void {
		const phase = this.#phase;
		if (phase.is === "over") return;
		this.#end();
		this.#abort.abort();
		if (phase.is === "open") phase.recognition.cancel();
	}

	/** Accepts nothing more, and releases the socket. */
	#end(): void {
		this.#phase = { is: "over" };
		this.#frames.drop();
		this.#releaseSocket();
	}

	#onOpen(recognition: Recognition): void {
		const phase = this.#phase;
		if (phase.is !== "opening") {
			recognition.cancel();
			return;
		}
		this.#phase = { is: "open", recognition };
		recognition.onDrain(() => {
			this.#drained = true;
			this.#releaseSocket();
		});
		void this.#readEvents(recognition);
		this.#releaseSocket();
		for (const item of phase.items) this.#apply(recognition, item);
		this.#onEvent({ is: "opened" });
	}

	async #readEvents(recognition: Recognition): Promise<void> {
		try {
			for await (const event of recognition.events) {
				if (this.#phase.is === "over") return;
				if (event.is === "completed") this.#end();
				this.#onEvent({ is: "recognized", event });
			}
			if (this.#phase.is === "over") return;
			throw new Error("the recognition ended without a result");
		} catch (thrown) {
			if (this.#phase.is === "over") return;
			this.#end();
			this.#onEvent({ is: "failed", error: asCodedError(thrown) });
		}
	}

	#write(bytes: Uint8Array): void {
		const phase = this.#phase;
		if (phase.is === "open") this.#apply(phase.recognition, bytes);
		if (phase.is !== "opening") return;
		phase.items.push(bytes.slice());
		this.#keptBytes += bytes.length;
		if (this.#keptBytes >= keptBytesMax) this.#holdSocket();
	}

	#enqueue(item: "end-sentence" | "finish"): void {
		this.#frames.flush(); // audio before it comes first
		const phase = this.#phase;
		if (phase.is === "opening") phase.items.push(item);
		else if (phase.is === "open") this.#apply(phase.recognition, item);
	}

	#apply(recognition: Recognition, item: FeedItem): void {
		if (item === "finish") recognition.finish();
		else if (item === "end-sentence") recognition.endSentence();
		else {
			this.#drained = false; // it may drain at once
			if (!recognition.write(item) && !this.#drained) this.#holdSocket();
		}
	}

	#holdSocket(): void {
		if (this.#holding) return;
		this.#holding = true;
		this.#socket.hold();
	}

	#releaseSocket(): void {
		if (!this.#holding) return;
		this.#holding = false;
		this.#socket.release();
	}
}
