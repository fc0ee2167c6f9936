/**
 * The recognitions of one connection, one after another: each asks for its slot when the one before has ended, and its audio waits meanwhile, so a connection
 * never holds two slots. What waits too long holds the socket.
 */

import type { CodedError } from "../../../errors.js";
import { Deferred } from "../../../event-loop/deferred.js";
import type { SessionEvent } from "../../../session/events.js";
import type { Lane, RecognitionCaller } from "../../../session/lane-port.js";
import type { RecognitionOptions } from "../../../session/options.js";
import { AudioFeed, type FeedEvent } from "../../feed/audio-feed.js";
import { ClientTimeout, silentSecondsMax } from "../../feed/client-timeout.js";
import { waitBoughtBy } from "../../feed/pace.js";
import type { SocketHolds } from "../../feed/socket-holds.js";
import type { Recognitions } from "./runs.js";

/** Recognitions that wait for the one before. */
const waitingMax = 4;

export interface RunListener {
	onRecognized(run: number, event: SessionEvent): void;
	onFailed(run: number, error: CodedError): void;
	onQuiet(run: number): void;
}

interface Link {
	readonly feed: AudioFeed;
	readonly over: Deferred<void>;
}

export class RunChain implements Recognitions {
	readonly #lane: Lane;
	readonly #caller: RecognitionCaller;
	readonly #holds: SocketHolds;
	readonly #listener: RunListener;
	readonly #links = new Map<number, Link>();
	/** The end of the last one. */
	#before: Promise<void> = Promise.resolve();
	#currentRun: number | undefined;
	readonly #timeout: ClientTimeout;

	constructor(
		lane: Lane,
		caller: RecognitionCaller,
		holds: SocketHolds,
		listener: RunListener,
	) {
		this.#lane = lane;
		this.#caller = caller;
		this.#holds = holds;
		this.#listener = listener;
		this.#timeout = new ClientTimeout(
			() => {
				if (this.#currentRun !== undefined) listener.onQuiet(this.#currentRun);
			},
			() => holds.isHeld,
		);
	}

	open(run: number, options: RecognitionOptions): void {
		const before = this.#before;
		const lane: Lane = {
			open: async (options, caller, signal) => {
				await before;
				signal?.throwIfAborted();
				return this.#lane.open(options, caller, signal);
			},
		};
		const over = new Deferred<void>();
		const socket = this.#holds.heldBy(run);
		this.#before = before.then(() => over.promise); // a run that is cancelled while it waits does not end the wait of the next
		this.#currentRun = run;
		const feed = new AudioFeed(lane, options, this.#caller, socket, (event) =>
			this.#onFeed(run, event),
		);
		this.#links.set(run, { feed, over });
		if (this.#links.size > waitingMax) this.#holds.hold(this);
	}

	write(run: number, bytes: Uint8Array, seconds: number): void {
		this.#links.get(run)?.feed.write(bytes);
		this.#timeout.extend(waitBoughtBy(seconds, 1));
	}

	finish(run: number): void {
		this.#stopCurrent(run);
		this.#links.get(run)?.feed.finish();
	}

	cancel(run: number): void {
		this.#links.get(run)?.feed.cancel();
		this.#end(run);
	}

	/** The connection is closed. */
	cancelAll(): void {
		for (const run of [...this.#links.keys()]) this.cancel(run);
		this.#timeout.end();
	}

	#onFeed(run: number, event: FeedEvent): void {
		switch (event.is) {
			case "opened":
				if (this.#currentRun === run) this.#timeout.begin(silentSecondsMax);
				break;
			case "recognized":
				if (event.event.is === "completed") this.#end(run);
				this.#listener.onRecognized(run, event.event);
				break;
			case "refused":
			case "failed":
				this.#fail(run, event.error);
		}
	}

	#fail(run: number, error: CodedError): void {
		if (!this.#links.has(run)) return;
		this.#end(run);
		this.#listener.onFailed(run, error);
	}

	#end(run: number): void {
		const link = this.#links.get(run);
		if (!link) return;
		this.#stopCurrent(run);
		this.#links.delete(run);
		link.over.resolve();
		if (this.#links.size <= waitingMax) this.#holds.release(this);
	}

	#stopCurrent(run: number): void {
		if (this.#currentRun !== run) return;
		this.#currentRun = undefined;
		this.#timeout.end();
	}
}
