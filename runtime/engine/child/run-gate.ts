/**
 * Voice activity goes first. Every inference takes one turn of the event loop, and a window of voice activity takes a hundredth of a decoder's step: taken
 * in turn, sixteen streams would hear 40 windows a second of the 31 that each of them needs, and fall behind what is said.
 *
 * So a decoder's step waits while windows wait, but not for ever: a long file's windows must not stop everybody's decoding.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type {
	InferencePort,
	InferenceSession,
} from "../../models/inference-port.js";

/** Turns that one step gives way for: half a second of each stream's audio. */
const turnsMax = 16;

export class RunGate {
	#windowsWaiting = 0;

	/** For voice activity. */
	first(port: InferencePort): InferencePort {
		return this.#wrap(port, (session) => async (feeds, fetches) => {
			this.#windowsWaiting++;
			try {
				return await session.run(feeds, fetches);
			} finally {
				this.#windowsWaiting--;
			}
		});
	}

	/** For everything that takes longer. */
	behind(port: InferencePort): InferencePort {
		return this.#wrap(port, (session) => async (feeds, fetches) => {
			for (let turn = 0; turn < turnsMax && this.#windowsWaiting > 0; turn++)
				await nextTurn();
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
				const { inputNames, outputNames } = session;
				return {
					inputNames,
					outputNames,
					run: runOf(session),
					close: () => session.close(),
				};
			},
		};
	}
}
