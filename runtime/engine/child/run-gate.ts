/**
 * Who decodes when others are in a hurry. Voice activity goes first: every inference takes one turn of the event loop, and what a stream said in a packet takes voice activity a small part of a
 * decoder's step: taken in turn with the steps, a stream would hear one packet a step, and somebody's pause would be noticed late.
 *
 * So a decoder's step waits while voice activity waits, but not for ever: a long file's windows must not stop everybody's decoding.
 *
 * And so does what is on its way to another process: a batch's sound is megabytes, of which a turn sends what fits into a pipe. Taken in turn with this process'
 * own runs it arrives seconds late, and the other process has nothing to do meanwhile.
 */
import {
	setImmediate as nextTurn,
	setTimeout as sleep,
} from "node:timers/promises";
import type {
	InferencePort,
	InferenceSession,
} from "../../models/inference-port.js";

/** Turns that one step gives way for: up to 64 windows of each stream in each. */
const turnsMax = 4;
/** A process that does not read must not stop this one. */
const sendingMsMax = 100;

export class RunGate {
	#waiting = 0;
	readonly #sending = new Set<Promise<void>>();

	/** @param sent settles when it has left; never rejects. */
	letOut(sent: Promise<void>): void {
		const out = Promise.race([sent, sleep(sendingMsMax)]).then(() => {
			this.#sending.delete(out);
		});
		this.#sending.add(out);
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
				await nextTurn();
			await Promise.all(this.#sending);
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
