/**
 * The way of one session's audio into a recognition of the lane. What comes while the slot is still asked for is kept, in order; where too much is
 * kept here or there, the socket has to wait.
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

/** Kept while a slot is asked for: eight seconds of 16 kHz PCM. */
const keptBytesMax = 256 * 1024;

export interface FeedListener {
	onOpened(): void;
	onRefused(error: CodedError): void;
	onEvent(event: SessionEvent): void;
	onFailed(error: CodedError): void;
}

type Order = Uint8Array | "end-sentence" | "finish";

type Phase =
	| { readonly is: "opening"; readonly orders: Order[] }
	| { readonly is: "open"; readonly recognition: Recognition }
	| { readonly is: "over" };

export class AudioFeed {
	readonly #socket: Pick<LiveSocket, "hold" | "release">;
	readonly #listener: FeedListener;
	readonly #abort = new AbortController();
	readonly #frames = new FrameGatherer((bytes) => this.#write(bytes));
	#phase: Phase = { is: "opening", orders: [] };
	#keptBytes = 0;
	#holding = false;
	#drained = false;

	constructor(
		lane: Lane,
		options: RecognitionOptions,
		asker: RecognitionCaller,
		socket: Pick<LiveSocket, "hold" | "release">,
		listener: FeedListener,
	) {
		this.#socket = socket;
		this.#listener = listener;
		lane.open(options, asker, this.#abort.signal).then(
			(recognition) => this.#onOpen(recognition),
			(error) => {
				if (this.#phase.is === "opening")
					listener.onRefused(asCodedError(error));
			},
		);
	}

	/** The client can't bring more: it is made to wait. */
	get holding(): boolean {
		return this.#holding;
	}

	/** @param bytes copied. */
	write(bytes: Uint8Array): void {
		if (this.#phase.is !== "over") this.#frames.accept(bytes);
	}

	endSentence(): void {
		this.#order("end-sentence");
	}

	/** No more audio comes. */
	finish(): void {
		this.#order("finish");
	}

	/** Idempotent; the listener hears nothing any more. */
	cancel(): void {
		const phase = this.#phase;
		if (phase.is === "over") return;
		this.#end();
		this.#abort.abort();
		if (phase.is === "open") phase.recognition.cancel();
	}

	/** Nothing more goes in, and nobody has to wait for it. */
	#end(): void {
		this.#phase = { is: "over" };
		this.#frames.drop();
		this.#go();
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
			this.#go();
		});
		void this.#listen(recognition);
		this.#go();
		for (const order of phase.orders) this.#obey(recognition, order);
		this.#listener.onOpened();
	}

	async #listen(recognition: Recognition): Promise<void> {
		try {
			for await (const event of recognition.events) {
				if (this.#phase.is === "over") return;
				if (event.is === "completed") this.#end();
				this.#listener.onEvent(event);
			}
			if (this.#phase.is === "over") return;
			throw new Error("a recognition ended without a result");
		} catch (thrown) {
			if (this.#phase.is === "over") return;
			this.#end();
			this.#listener.onFailed(asCodedError(thrown));
		}
	}

	#write(bytes: Uint8Array): void {
		const phase = this.#phase;
		if (phase.is === "open") this.#obey(phase.recognition, bytes);
		if (phase.is !== "opening") return;
		phase.orders.push(bytes.slice());
		this.#keptBytes += bytes.length;
		if (this.#keptBytes >= keptBytesMax) this.#stop();
	}

	#order(order: "end-sentence" | "finish"): void {
		this.#frames.flush(); // what was said before it
		const phase = this.#phase;
		if (phase.is === "opening") phase.orders.push(order);
		else if (phase.is === "open") this.#obey(phase.recognition, order);
	}

	#obey(recognition: Recognition, order: Order): void {
		if (order === "finish") recognition.finish();
		else if (order === "end-sentence") recognition.endSentence();
		else {
			this.#drained = false; // it may drain at once
			if (!recognition.write(order) && !this.#drained) this.#stop();
		}
	}

	#stop(): void {
		if (this.#holding) return;
		this.#holding = true;
		this.#socket.hold();
	}

	#go(): void {
		if (!this.#holding) return;
		this.#holding = false;
		this.#socket.release();
	}
}
