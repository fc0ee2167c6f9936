/**
 * Controls when an inference may run. Voice activity detection goes first: every inference takes one turn of the event loop, and a packet of a stream takes
 * voice activity detection a fraction of a decoder step. If they alternated, a stream would process one packet per step, and a pause would be noticed
 * late.
 *
 * So a decoder step waits while voice activity detection is waiting, but not for ever: the windows of a long file must not block all decoding.
 *
 * It also waits for messages that are being sent to another process (pending-sends.ts).
 */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type {
	InferencePort,
	InferenceSession,
} from "../../models/inference-port.js";
import type { PendingSends } from "./pending-sends.js";

/** Turns of the event loop that one step waits: each runs up to 64 windows of each stream. */
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

	/** For all other inferences, which take longer. */
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
