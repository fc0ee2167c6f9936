/** How a standing recognition gets a recognition of its lane: it tries until there is one, with growing pauses, or until nobody waits for it any more. */
import { sleepUnlessAborted } from "../event-loop/sleep.js";
import type { AudioBacklog } from "./audio-backlog.js";
import {
	isAwake,
	type StandingListener,
	type Unended,
} from "./continued-events.js";
import type { Lane, Recognition, RecognitionCaller } from "./lane-port.js";
import type { RecognitionOptions } from "./options.js";

/** Waiting for an engine, or for the pause before the next attempt. */
export interface Opening {
	readonly is: "opening";
	readonly abort: AbortController;
	/** What the recognition goes on with. */
	readonly unended: Unended;
	/** It was closed meanwhile: what had come until then. */
	rest: AudioBacklog | undefined;
	/** The recognition before it failed before it had used any audio: another one at once would fail as fast. */
	readonly pausesFirst: boolean;
}

export interface OpenerParts {
	readonly lane: Lane;
	readonly caller: RecognitionCaller;
	/** Called for each attempt. */
	readonly options: () => RecognitionOptions;
	readonly listener: Pick<StandingListener, "onAvailability">;
	/** What no engine took is counted there as lost. */
	readonly backlog: Pick<AudioBacklog, "countLost">;
}

const firstPauseMs = 200;
const pauseMsMax = 5000;

export class Opener {
	readonly #parts: OpenerParts;
	#pauseMs = firstPauseMs;

	constructor(parts: OpenerParts) {
		this.#parts = parts;
	}

	/** @returns undefined: it was aborted, or closed while there was no engine for it. */
	async open(opening: Opening): Promise<Recognition | undefined> {
		const { lane, caller, listener, backlog } = this.#parts;
		const { signal } = opening.abort;
		if (opening.pausesFirst) await this.#pause(signal);
		while (!signal.aborted) {
			try {
				const recognition = await lane.open(
					this.#optionsFor(opening.unended),
					caller,
					signal,
					true,
				);
				if (!signal.aborted) return recognition;
				recognition.cancel();
			} catch (error) {
				if (signal.aborted) break;
				// long after it was said nobody waits for it
				if (opening.rest) break;
				listener.onAvailability(false, (error as Error).message);
				await this.#pause(signal);
			}
		}
		const { rest } = opening;
		if (rest) backlog.countLost(rest.endSample - rest.startSample);
		return undefined;
	}

	/** A recognition used audio: the next pause is short again. */
	succeeded(): void {
		this.#pauseMs = firstPauseMs;
	}

	async #pause(signal: AbortSignal): Promise<void> {
		await sleepUnlessAborted(this.#pauseMs, signal);
		this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
	}

	/** A recognition that replaces one that died after a wake word does not wait for another. */
	#optionsFor(unended: Unended): RecognitionOptions {
		const options = this.#parts.options();
		const { wake } = options;
		return wake && isAwake(unended)
			? { ...options, wake: { ...wake, awake: true } }
			: options;
	}
}
