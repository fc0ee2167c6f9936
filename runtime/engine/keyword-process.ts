/**
 * Extracts keywords in a separate process: jieba takes 0.2 s for a million characters in one piece, and 0.3 s and 100 MB for its dictionaries; five hours of
 * Japanese take seconds. This way main's event loop never blocks, and the process only runs while it has work. (A thread would do as well, but
 * its memory is not returned: 100 MB stayed with the server after the first text.)
 */

import { ownCommand } from "../config/own-program.js";
import { CodedError } from "../errors.js";
import { Deferred } from "../event-loop/deferred.js";
import { WorkerProcess } from "../process/worker-process.js";
import type { Language } from "../text/languages.js";

/** The answer is a list of words, best first. */
export type KeywordRequest =
	/** Terms for a list of hotwords, from Chinese text. */
	| {
			readonly is: "terms";
			readonly text: string;
			readonly countMax: number;
	  }
	/** Keywords of a transcript; one line per utterance. */
	| {
			readonly is: "transcript";
			readonly text: string;
			readonly language: Language;
			readonly countMax: number;
	  };

/** Queued texts; each may be 4 MB. */
const waitingMax = 8;
const idleMs = 10_000;
const lateReason = "no answer in time";
/** On a device that is too busy for one text. */
const retryAfterSeconds = 30;

interface Finder {
	readonly process: WorkerProcess<readonly string[], KeywordRequest>;
	/** The pending answer; one at a time. */
	answer?: Deferred<readonly string[]>;
}

export class KeywordProcess {
	readonly #answerMsMax: number;
	#finder: Finder | undefined;
	#last: Promise<unknown> = Promise.resolve();
	#waiting = 0;
	#idle: NodeJS.Timeout | undefined;

	/** @param answerMsMax for one text, including loading the dictionaries. */
	constructor(answerMsMax = 30_000) {
		this.#answerMsMax = answerMsMax;
	}

	/** @throws CodedError 100003, 100004 */
	async find(order: KeywordRequest): Promise<readonly string[]> {
		if (this.#waiting >= waitingMax)
			throw new CodedError(
				"100004",
				"too many texts are waiting for keyword extraction",
				{
					retryAfterSeconds: waitingMax,
				},
			);
		const mine = this.#last.then(() => this.#request(order));
		this.#last = mine.catch(() => {});
		this.#waiting++;
		clearTimeout(this.#idle);
		try {
			return await mine;
		} finally {
			if (--this.#waiting === 0) this.#restSoon();
		}
	}

	/** Ends the process; the next text starts another. */
	async close(): Promise<void> {
		clearTimeout(this.#idle);
		const finder = this.#finder;
		this.#finder = undefined;
		finder?.process.kill("closed");
		await finder?.process.ended;
	}

	#request(order: KeywordRequest): Promise<readonly string[]> {
		const finder = this.#finder ?? this.#start();
		const answer = new Deferred<readonly string[]>();
		finder.answer = answer;
		const timer = setTimeout(
			() => finder.process.kill(lateReason),
			this.#answerMsMax,
		);
		finder.process.send(order);
		return answer.promise.finally(() => clearTimeout(timer));
	}

	#start(): Finder {
		const finder: Finder = {
			process: new WorkerProcess(ownCommand("keywords"), {
				onMessage: (words) => finder.answer?.resolve(words),
				onEnd: (reason, startError) => {
					if (this.#finder === finder) this.#finder = undefined;
					const cause = startError ?? new Error(`the process ended: ${reason}`);
					finder.answer?.reject(
						reason === lateReason
							? new CodedError(
									"100004",
									`keywords were not found within ${this.#answerMsMax / 1000} s, the device is busy`,
									{ retryAfterSeconds },
								)
							: new CodedError("100003", "keywords can't be extracted", {
									cause,
								}),
					);
				},
			}),
		};
		this.#finder = finder;
		return finder;
	}

	#restSoon(): void {
		this.#idle = setTimeout(() => void this.close(), idleMs);
		this.#idle.unref();
	}
}
