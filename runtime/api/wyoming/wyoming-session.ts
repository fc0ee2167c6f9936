/** One Wyoming connection: passes frames and events to the protocol (protocol.ts) and performs the effects that it returns. Makes no decisions. */
import { asCodedError, CodedError } from "../../errors.js";
import type { FeedEvent } from "../feed/audio-feed.js";
import { ClientTimeout, silentSecondsMax } from "../feed/client-timeout.js";
import { waitBoughtBy } from "../feed/pace.js";
import type { HeldMemory } from "../listeners/held-memory.js";
import type { Peer, PeerHandler } from "../listeners/peer.js";
import { SlicedLoop } from "../listeners/sliced-loop.js";
import { encodeFrame, type Frame } from "./frame.js";
import { FrameError } from "./frame-decoder.js";
import { FrameReader } from "./frame-reader.js";
import { begin, mustWait, step } from "./protocol.js";
import type {
	Effect,
	Event,
	ProtocolContext,
	State,
} from "./protocol-states.js";
import {
	TurnRecognition,
	type TurnRecognitionParts,
} from "./turn-recognition.js";

export interface WyomingParts extends TurnRecognitionParts {
	readonly context: ProtocolContext;
	/** Shared by all connections. */
	readonly memory: HeldMemory;
}

/** A frame that was begun. */
const frameMsMax = 30_000;

export class WyomingSession implements PeerHandler {
	readonly #parts: WyomingParts;
	readonly #peer: Peer;
	readonly #frames = new FrameReader({
		onParsed: (frame) => {
			this.#waiting = frame;
		},
		onBadFrame: (error) => this.#onBadFrame(error),
		onReady: () => this.#reading.run(),
	});
	readonly #timeout = new ClientTimeout(
		() => this.#handle({ is: "late" }),
		() => this.#turn.holding,
	);
	/** Reads frames until there is none, or the next one has to wait. */
	readonly #reading = new SlicedLoop(
		() => this.#step(),
		() => {
			if (this.#state.is !== "over") this.#settle();
		},
	);
	#state: State;
	readonly #turn: TurnRecognition;
	/** Of the frame that waits for the transcript that is owed. */
	#waiting: Frame | undefined;
	#isHeld = false;
	#hasEnded = false;
	#isLeaving = false;
	#frameTimer: NodeJS.Timeout | undefined;

	constructor(parts: WyomingParts, peer: Peer) {
		this.#parts = parts;
		this.#peer = peer;
		this.#state = begin(parts.context);
		this.#turn = new TurnRecognition(parts, {
			onEvent: (event) => this.#onEvent(event),
			// the feed's state changes around this call
			onRelease: () => queueMicrotask(() => this.#reading.run()),
		});
	}

	onBytes(bytes: Uint8Array): void {
		if (this.#state.is === "over") return;
		this.#frames.accept(bytes);
		this.#reading.run();
	}

	onEnd(): void {
		this.#hasEnded = true;
		this.#reading.run();
	}

	leave(): void {
		this.#isLeaving = true;
		if (this.#state.is !== "finishing") this.#handle({ is: "shutdown" });
	}

	onClosed(): void {
		this.#handle({ is: "gone" });
		this.#reading.end();
		this.#frames.end();
		this.#limitNothing();
		this.#parts.memory.settle(this, this.#peer.address, 0);
	}

	/** @returns whether there may be another. */
	#step(): boolean {
		if (this.#state.is === "over") return false;
		if (this.#frames.isParsing || this.#turn.holding) return false;
		const frame = this.#waiting ?? this.#nextFrame();
		if (frame && mustWait(this.#state, frame)) {
			this.#waiting = frame;
			return false;
		}
		this.#waiting = undefined;
		if (frame) this.#handle({ is: "frame", frame });
		else if (this.#frames.isParsing) return false;
		else if (this.#isLeaving && this.#state.is !== "finishing")
			this.#handle({ is: "shutdown" });
		else if (this.#hasEnded) this.#handle({ is: "ended" });
		return frame !== undefined;
	}

	/** @returns undefined where more bytes are needed, or its data is being parsed. */
	#nextFrame(): Frame | undefined {
		try {
			const frame = this.#frames.next();
			if (frame || this.#frames.isParsing) this.#limitNothing();
			return frame;
		} catch (thrown) {
			this.#onBadFrame(thrown);
			return undefined;
		}
	}

	#onBadFrame(thrown: unknown): void {
		const error =
			thrown instanceof FrameError
				? new CodedError("200003", thrown.message)
				: asCodedError(thrown);
		const isReported = !(thrown instanceof FrameError) || thrown.isReported;
		this.#parts.log.debug({ why: error.message }, "not a Wyoming frame");
		this.#handle({ is: "bad-frame", error, isReported });
	}

	/** Holds the peer while its frames have to wait, and bounds what is kept of a frame that is not whole. */
	#settle(): void {
		const { heldBytes } = this.#frames;
		if (!this.#parts.memory.settle(this, this.#peer.address, heldBytes)) {
			const error = new CodedError("100004");
			this.#handle({ is: "bad-frame", error, isReported: true });
			return;
		}
		const mustHold =
			this.#frames.isParsing ||
			this.#reading.isPending ||
			this.#waiting !== undefined ||
			this.#turn.holding;
		if (mustHold !== this.#isHeld) {
			this.#isHeld = mustHold;
			if (mustHold) this.#peer.hold();
			else this.#peer.release();
		}
		const waitsForSlice = this.#reading.isPending;
		if (heldBytes === 0 || (mustHold && !waitsForSlice)) {
			this.#limitNothing();
			return;
		}
		if (waitsForSlice) return; // a limit that has begun goes on
		// a frame that comes a byte at a time has no longer than another
		this.#frameTimer ??= setTimeout(
			() =>
				this.#handle({
					is: "bad-frame",
					error: new CodedError(
						"230002",
						"an event must be complete within 30 seconds",
					),
					isReported: true,
				}),
			frameMsMax,
		);
	}

	#limitNothing(): void {
		clearTimeout(this.#frameTimer);
		this.#frameTimer = undefined;
	}

	#handle(event: Event): void {
		const { state, effects } = step(this.#parts.context, this.#state, event);
		this.#state = state;
		for (const effect of effects) this.#do(effect);
		if (state.is !== "over") return;
		this.#limitNothing();
		this.#frames.end();
	}

	#do(effect: Effect): void {
		switch (effect.do) {
			case "open":
				this.#turn.open(effect.options);
				break;
			case "write":
				this.#turn.write(effect.bytes, effect.format);
				break;
			case "finish":
				this.#turn.finish();
				break;
			case "cancel":
				this.#turn.cancel();
				break;
			case "send":
				this.#turn.onSent(effect.frame.type);
				this.#peer.send(encodeFrame(effect.frame));
				break;
			case "await-audio":
				this.#timeout.begin(silentSecondsMax);
				break;
			case "await-longer":
				this.#timeout.extend(waitBoughtBy(effect.audioSeconds, 1));
				break;
			case "await-nothing":
				this.#timeout.end();
				break;
			case "note":
				this.#turn.end(effect.status, effect.audioMs);
				break;
			case "close":
				this.#peer.close();
		}
	}

	#onEvent(event: FeedEvent): void {
		this.#handle(event);
		this.#reading.run();
	}
}
