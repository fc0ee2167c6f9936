/**
 * What an inference waits for. Voice activity goes first: every inference takes one turn of the event loop, and what a stream said in a packet takes voice
 * activity a small part of a decoder's step: taken in turn with the steps, a stream would hear one packet a step, and somebody's pause would be noticed
 * late.
 *
 * So a decoder's step waits while voice activity waits, but not for ever: a long file's windows must not stop everybody's decoding.
 *
 * And so does messages that are being sent to another process (pending-sends.ts).
 */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type {
	InferencePort,
	InferenceSession,
} from "../../models/inference-port.js";
import type { PendingSends } from "./pending-sends.js";

/** Turns that one step gives way for: up to 64 windows of each stream in each. */
const turnsMax = 4;

export class RunGate {
	readonly #pendingSends: PendingSends;
	#waiting = 0;

	constructor(pendingSends: PendingSends) {
		this.#pendingSends = pendingSends;
	}

	/** For voice activity. */
	first(port: InferencePort): InferencePort {
		return this.#wrap(port, (session) => async (feeds, fetches) => {
			this.#waiting++;
			try {
				return await session.run(feeds, fetches);
			} finally {
				this.#waiting--;
			}
		});
	}

	/** For everything that takes longer. */
	behind(port: InferencePort): InferencePort {
		return this.#wrap(port, (session) => async (feeds, fetches) => {
			for (let turn = 0; turn < turnsMax && this.#waiting > 0; turn++)
				await yieldToEventLoop();
			await this.#pendingSends.drained();
			return session.run(feeds, fetches);
		});
	}

	#wrap(
		port: InferencePort,
		runOf: (session: InferenceSession) => InferenceSession["run"],
	): InferencePort {
		return {
			...port,
			open: async (path, options) => {
				const session = await port.open(path, options);
				const { inputNames, inputs, outputNames, choice } = session;
				return {
					...(choice && { choice }),
					inputNames,
					inputs,
					outputNames,
					run: runOf(session),
					close: () => session.close(),
				};
			},
		};
	}
}
