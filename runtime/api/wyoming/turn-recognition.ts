/** The recognition of the turn that is open, fed with the samples of its chunks, and what is measured of it. */
import type { Logger } from "../../log/log.js";
import type { Lane, RecognitionCaller } from "../../session/lane-port.js";
import type { RecognitionOptions } from "../../session/options.js";
import { AudioFeed, type FeedEvent } from "../feed/audio-feed.js";
import { loggedError } from "../feed/logged-error.js";
import type { MeasuredRequest } from "../metrics/endpoints.js";
import { type ChunkFormat, ChunkSamples } from "./chunk-format.js";

export interface TurnRecognitionParts {
	readonly lane: Lane;
	/** The caller whose share of the slots it takes. */
	readonly caller: RecognitionCaller;
	/** Begins the metrics of a turn. */
	readonly measure: () => MeasuredRequest;
	readonly log: Logger;
}

export interface TurnListener {
	onEvent(event: FeedEvent): void;
	/** More may be written. */
	onRelease(): void;
}

export class TurnRecognition {
	readonly #parts: TurnRecognitionParts;
	readonly #listener: TurnListener;
	#feed: AudioFeed | undefined;
	#samples: ChunkSamples | undefined;
	/** The turn that is open. */
	#measured: MeasuredRequest | undefined;

	constructor(parts: TurnRecognitionParts, listener: TurnListener) {
		this.#parts = parts;
		this.#listener = listener;
	}

	/** No audio should be written now. */
	get holding(): boolean {
		return this.#feed?.holding ?? false;
	}

	open(options: RecognitionOptions): void {
		this.#measured = this.#parts.measure();
		this.#samples = new ChunkSamples();
		this.#feed = this.#open(options);
	}

	write(bytes: Uint8Array, format: ChunkFormat): void {
		const samples = this.#samples?.accept(bytes, format);
		if (samples) this.#feed?.write(samples);
	}

	finish(): void {
		this.#measured?.audioEnded();
		this.#feed?.finish();
	}

	cancel(): void {
		this.#feed?.cancel();
	}

	/** @param frameType of a frame that is being sent. */
	onSent(frameType: string): void {
		if (frameType === "transcript-chunk") this.#measured?.text();
		if (frameType === "transcript") this.#measured?.final();
	}

	/** The turn has ended, also where it was answered without a recognition. */
	end(status: string, audioMs: number): void {
		const measured = this.#measured ?? this.#parts.measure();
		this.#measured = undefined;
		measured.audioRecognized(audioMs / 1000);
		measured.ended(status);
		this.#parts.log.info({ status, audioMs }, "turn ended");
	}

	#open(options: RecognitionOptions): AudioFeed {
		const { lane, caller } = this.#parts;
		// the feed is the one that holds: what waits behind it is read when it lets go
		const socket = {
			hold: () => {},
			release: () => this.#listener.onRelease(),
		};
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
		if ("error" in event)
			loggedError(event.error, this.#parts.log, "turn failed");
		this.#listener.onEvent(event);
	}
}
