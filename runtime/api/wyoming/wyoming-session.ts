/** One Wyoming connection: passes frames and events to the protocol (protocol.ts) and performs the effects that it returns. Makes no decisions. */
import { asCodedError, CodedError } from "../../errors.js";
import { finishInSlices } from "../../event-loop/slices.js";
import { parsingJson } from "../../json/json-parser.js";
import type { Logger } from "../../log/log.js";
import type { Lane, RecognitionCaller } from "../../session/lane-port.js";
import type { HeldMemory } from "../listeners/held-memory.js";
import type { Peer, PeerHandler } from "../listeners/peer.js";
import { SlicedLoop } from "../listeners/sliced-loop.js";
import { AudioFeed, type FeedEvent } from "../live/audio-feed.js";
import { ClientTimeout } from "../live/client-timeout.js";
import { loggedError } from "../live/logged-error.js";
import { waitBoughtBy } from "../live/pace.js";
import type { MeasuredRequest } from "../metrics/endpoints.js";
import { ChunkSamples } from "./chunk-format.js";
import { encodeFrame, type Frame } from "./frame.js";
import {
	checkedObject,
	FrameDecoder,
	FrameError,
	objectOf,
	type WholeFrame,
} from "./frame-decoder.js";
import { begin, mustWait, step } from "./protocol.js";
import type {
	Effect,
	Event,
	ProtocolContext,
	State,
} from "./protocol-states.js";

export interface WyomingParts {
	readonly lane: Lane;
	/** The caller whose share of the slots it takes. */
	readonly caller: RecognitionCaller;
	readonly context: ProtocolContext;
	/** Shared by all connections. */
	readonly memory: HeldMemory;
	/** Begins the metrics of a turn. */
	readonly measure: () => MeasuredRequest;
	readonly log: Logger;
}

/** Longer data is parsed in slices, while the connection waits. */
const blockUnitsAtOnce = 16 * 1024;
/** Of audio, as in streaming sessions. */
const silentSecondsMax = 10;
/** A frame that was begun. */
const frameMsMax = 30_000;

export class WyomingSession implements PeerHandler {
	readonly #parts: WyomingParts;
	readonly #peer: Peer;
	readonly #decoder = new FrameDecoder();
	readonly #timeout = new ClientTimeout(
		() => this.#handle({ is: "late" }),
		() => this.#feed?.holding ?? false,
	);
	/** Reads frames until there is none, or the next one has to wait. */
	readonly #reading = new SlicedLoop(
		() => this.#step(),
		() => {
			if (this.#state.is !== "over") this.#settle();
		},
	);
	#state: State;
	#feed: AudioFeed | undefined;
	#samples: ChunkSamples | undefined;
	/** The turn that is open. */
	#measured: MeasuredRequest | undefined;
	/** Of the frame that waits for the transcript that is owed. */
	#waiting: Frame | undefined;
	#isParsing = false;
	#isHeld = false;
	#hasEnded = false;
	#isLeaving = false;
	#frameTimer: NodeJS.Timeout | undefined;

	constructor(parts: WyomingParts, peer: Peer) {
		this.#parts = parts;
		this.#peer = peer;
		this.#state = begin(parts.context);
	}

	onBytes(bytes: Uint8Array): void {
		if (this.#state.is === "over") return;
		this.#decoder.accept(bytes);
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
		this.#limitNothing();
		this.#parts.memory.settle(this, this.#peer.address, 0);
	}

	/** @returns whether there may be another. */
	#step(): boolean {
		if (this.#state.is === "over") return false;
		if (this.#isParsing || this.#feed?.holding) return false;
		const frame = this.#waiting ?? this.#nextFrame();
		if (frame && mustWait(this.#state, frame)) {
			this.#waiting = frame;
			return false;
		}
		this.#waiting = undefined;
		if (frame) this.#handle({ is: "frame", frame });
		else if (this.#isParsing) return false;
		else if (this.#isLeaving && this.#state.is !== "finishing")
			this.#handle({ is: "shutdown" });
		else if (this.#hasEnded) this.#handle({ is: "ended" });
		return frame !== undefined;
	}

	/** @returns undefined where more bytes are needed, or its data is being parsed. */
	#nextFrame(): Frame | undefined {
		try {
			const whole = this.#decoder.next();
			if (!whole) return undefined;
			this.#limitNothing();
			const { type, inline: data, block, payload } = whole;
			if (block === undefined) return { type, data, payload };
			if (block.length > blockUnitsAtOnce) {
				void this.#parseLong(whole, block);
				return undefined;
			}
			return merged(whole, objectOf(block, "the data of an event"));
		} catch (thrown) {
			this.#onBadFrame(thrown);
			return undefined;
		}
	}

	async #parseLong(whole: WholeFrame, block: string): Promise<void> {
		this.#isParsing = true;
		try {
			const value = await finishInSlices(parsingJson(block));
			this.#waiting = merged(whole, checkedObject(value));
		} catch {
			this.#onBadFrame(
				new FrameError("the data of an event is not JSON", false),
			);
		}
		this.#isParsing = false;
		this.#reading.run();
	}

	#onBadFrame(thrown: unknown): void {
		const error =
			thrown instanceof FrameError
				? new CodedError("200003", thrown.message)
				: asCodedError(thrown);
		const isTold = !(thrown instanceof FrameError) || thrown.isTold;
		this.#parts.log.debug({ why: error.message }, "not a Wyoming frame");
		this.#handle({ is: "bad-frame", error, isTold });
	}

	/** Holds the peer while its frames have to wait, and bounds what is kept of a frame that is not whole. */
	#settle(): void {
		const { heldBytes } = this.#decoder;
		if (!this.#parts.memory.settle(this, this.#peer.address, heldBytes)) {
			const error = new CodedError("100004");
			this.#handle({ is: "bad-frame", error, isTold: true });
			return;
		}
		const mustHold =
			this.#isParsing ||
			this.#reading.isPending ||
			this.#waiting !== undefined ||
			this.#feed?.holding === true;
		if (mustHold !== this.#isHeld) {
			this.#isHeld = mustHold;
			if (mustHold) this.#peer.hold();
			else this.#peer.release();
		}
		if (mustHold || heldBytes === 0) {
			this.#limitNothing();
			return;
		}
		// a frame that comes a byte at a time has no longer than another
		this.#frameTimer ??= setTimeout(
			() =>
				this.#handle({
					is: "bad-frame",
					error: new CodedError(
						"230002",
						"an event must be complete within 30 seconds",
					),
					isTold: true,
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
		if (state.is === "over") this.#limitNothing();
	}

	#do(effect: Effect): void {
		switch (effect.do) {
			case "open":
				this.#measured = this.#parts.measure();
				this.#samples = new ChunkSamples();
				this.#feed = this.#open(effect.options);
				break;
			case "write": {
				const { bytes, format } = effect;
				const samples = this.#samples?.accept(bytes, format);
				if (samples) this.#feed?.write(samples);
				break;
			}
			case "finish":
				this.#measured?.audioEnded();
				this.#feed?.finish();
				break;
			case "cancel":
				this.#feed?.cancel();
				break;
			case "send":
				this.#measure(effect.frame.type);
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
				this.#note(effect.status, effect.audioMs);
				break;
			case "close":
				this.#peer.close();
		}
	}

	#open(options: Extract<Effect, { do: "open" }>["options"]): AudioFeed {
		const { lane, caller } = this.#parts;
		// the feed is the one that holds: what waits behind it is read when it lets go
		const socket = { hold: () => {}, release: () => this.#readSoon() };
		const feed: AudioFeed = new AudioFeed(
			lane,
			options,
			caller,
			socket,
			(event) => this.#onFeed(feed, event),
		);
		return feed;
	}

	/** An earlier turn's recognition has nothing to say any more. */
	#onFeed(feed: AudioFeed, event: FeedEvent): void {
		if (feed !== this.#feed) return;
		if ("error" in event) this.#coded(event.error);
		this.#handle(event);
		this.#reading.run();
	}

	/** The feed's state changes around its call of `release`. */
	#readSoon(): void {
		queueMicrotask(() => this.#reading.run());
	}

	#measure(frameType: string): void {
		if (frameType === "transcript-chunk") this.#measured?.text();
		if (frameType === "transcript") this.#measured?.final();
	}

	#note(status: string, audioMs: number): void {
		const measured = this.#measured ?? this.#parts.measure();
		this.#measured = undefined;
		measured.heard(audioMs / 1000);
		measured.ended(status);
		this.#parts.log.info({ status, audioMs }, "turn ended");
	}

	#coded(thrown: unknown): CodedError {
		return loggedError(thrown, this.#parts.log, "turn failed");
	}
}

function merged(
	{ type, inline, payload }: WholeFrame,
	block: Readonly<Record<string, unknown>>,
): Frame {
	return { type, data: { ...inline, ...block }, payload };
}
