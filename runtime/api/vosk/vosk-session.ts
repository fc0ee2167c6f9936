/** One Vosk connection: passes messages and events to the protocol (protocol.ts) and performs the effects that it returns. Makes no decisions. */
import { type CodedError, successStatus } from "../../errors.js";
import type { Logger } from "../../log/log.js";
import type { Lane, RecognitionCaller } from "../../session/lane-port.js";
import { AudioFeed, type FeedEvent } from "../feed/audio-feed.js";
import { ClientTimeout, silentSecondsMax } from "../feed/client-timeout.js";
import { loggedError } from "../feed/logged-error.js";
import { waitBoughtBy } from "../feed/pace.js";
import type {
	MessageHandler,
	MessageSocket,
} from "../listeners/web-socket-peer.js";
import type { MeasuredRequest } from "../metrics/endpoints.js";
import { binaryControl, readMessage } from "./client-message.js";
import { begin, mustWait, step } from "./protocol.js";
import type {
	Effect,
	Event,
	ProtocolContext,
	State,
	Step,
} from "./protocol-states.js";

export interface VoskParts {
	readonly lane: Lane;
	/** The caller whose share of the slots it takes. */
	readonly caller: RecognitionCaller;
	readonly context: ProtocolContext;
	/** Begins the metrics of a recognition. */
	readonly measure: () => MeasuredRequest;
	readonly log: Logger;
}

export class VoskSession implements MessageHandler {
	readonly #parts: VoskParts;
	readonly #socket: MessageSocket;
	readonly #timeout = new ClientTimeout(
		() => this.#handle({ is: "late" }),
		() => this.#feed?.holding ?? false,
	);
	#state: State = begin();
	#feed: AudioFeed | undefined;
	/** The recognition that is open. */
	#measured: MeasuredRequest | undefined;
	#isLeaving = false;

	constructor(parts: VoskParts, socket: MessageSocket) {
		this.#parts = parts;
		this.#socket = socket;
	}

	get isBusy(): boolean {
		return mustWait(this.#state) || (this.#feed?.holding ?? false);
	}

	onText(text: string): void {
		try {
			this.#handle({ is: "message", message: readMessage(text) });
		} catch (thrown) {
			this.#handle({ is: "bad-message", error: this.#coded(thrown) });
		}
	}

	onBinary(bytes: Uint8Array): void {
		const message = binaryControl(bytes);
		if (message) this.#handle({ is: "message", message });
		else this.#handle({ is: "audio", bytes });
	}

	onEnd(): void {
		this.#handle({ is: "gone" });
	}

	onClosed(): void {
		this.#handle({ is: "gone" });
	}

	leave(): void {
		this.#isLeaving = true;
		this.#handle({ is: "shutdown" });
	}

	#handle(event: Event): void {
		const { state, effects } = this.#step(event);
		this.#state = state;
		for (const effect of effects) this.#do(effect);
	}

	/** The model may have changed: it may not have the language or the word lists any more. */
	#step(event: Event): Step {
		const { context } = this.#parts;
		try {
			return step(context, this.#state, event);
		} catch (thrown) {
			const error = this.#coded(thrown);
			return step(context, this.#state, { is: "bad-message", error });
		}
	}

	#do(effect: Effect): void {
		switch (effect.do) {
			case "open":
				this.#measured = this.#parts.measure();
				this.#feed = this.#open(effect.options);
				break;
			case "write":
				this.#feed?.write(effect.bytes);
				break;
			case "finish":
				this.#measured?.audioEnded();
				this.#feed?.finish();
				break;
			case "cancel":
				this.#feed?.cancel();
				break;
			case "send":
				if (effect.hasText) this.#measured?.text();
				this.#socket.send(effect.text);
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
				this.#socket.close(effect.code, effect.reason);
		}
	}

	#open(options: Extract<Effect, { do: "open" }>["options"]): AudioFeed {
		const { lane, caller } = this.#parts;
		// the feed is the one that holds: messages wait behind it
		const valve = { hold: () => {}, release: () => this.#socket.readOn() };
		const feed: AudioFeed = new AudioFeed(
			lane,
			options,
			caller,
			valve,
			(event) => this.#onFeed(feed, event),
		);
		return feed;
	}

	/** An earlier recognition has nothing to report any more. */
	#onFeed(feed: AudioFeed, event: FeedEvent): void {
		if (feed !== this.#feed) return;
		if ("error" in event) this.#coded(event.error);
		this.#handle(event);
		if (mustWait(this.#state)) return;
		if (this.#isLeaving) this.#handle({ is: "shutdown" });
		else this.#socket.readOn();
	}

	#note(status: string, audioMs: number): void {
		const measured = this.#measured;
		this.#measured = undefined;
		if (status === successStatus) measured?.final();
		measured?.audioRecognized(audioMs / 1000);
		measured?.ended(status);
		this.#parts.log.info({ status, audioMs }, "recognition ended");
	}

	#coded(thrown: unknown): CodedError {
		return loggedError(thrown, this.#parts.log, "recognition failed");
	}
}
