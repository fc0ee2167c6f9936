/**
 * Keywords out of free text (`auto_extraction`), in a thread of its own: a million characters take jieba 0.2 s in one piece, and its dictionaries 0.3 s and
 * 100 MB. So the thread is there only while it has something to do, and main's event loop never waits for it.
 */
import { Worker } from "node:worker_threads";
import { CodedError } from "../../errors.js";
import { keywordsMax } from "../../words/keyword-count.js";
import type { KeywordOrder } from "./keyword-worker.js";
import type { KeywordSource } from "./sifting.js";

export const textCharactersMax = 1_000_000;
/** Texts that wait for their turn; each may be 4 MB. */
const waitingMax = 8;
const idleMs = 10_000;
/** For one text, the dictionaries included. */
const answerMsMax = 30_000;

export class KeywordExtractor implements KeywordSource {
	#worker: Worker | undefined;
	#last: Promise<unknown> = Promise.resolve();
	#waiting = 0;
	#idle: NodeJS.Timeout | undefined;

	async keywords(text: string): Promise<readonly string[]> {
		if (isLonger(text, textCharactersMax))
			throw new CodedError(
				"200002",
				`words must be at most ${textCharactersMax} characters of text with auto_extraction`,
			);
		if (text.trim() === "") return [];
		if (this.#waiting >= waitingMax)
			throw new CodedError("100004", "too many texts wait for extraction", {
				retryAfterSeconds: waitingMax,
			});
		const order = { text, countMax: keywordsMax(text.length) };
		const mine = this.#last.then(() => this.#ask(order));
		this.#last = mine.catch(() => {});
		this.#waiting++;
		clearTimeout(this.#idle);
		try {
			return await mine;
		} finally {
			if (--this.#waiting === 0) this.#restSoon();
		}
	}

	/** Ends the thread; the next text starts another. */
	async close(): Promise<void> {
		clearTimeout(this.#idle);
		const worker = this.#worker;
		this.#worker = undefined;
		await worker?.terminate();
	}

	#ask(order: KeywordOrder): Promise<string[]> {
		const worker = this.#running();
		worker.ref();
		return new Promise<string[]>((resolve, reject) => {
			const settle = () => {
				clearTimeout(timer);
				worker.off("message", onFound).off("error", fail).off("exit", onExit);
			};
			const onFound = (found: string[]) => {
				settle();
				resolve(found);
			};
			const fail = (cause: unknown) => {
				settle();
				void this.close();
				reject(
					new CodedError("100003", "keywords can't be extracted", { cause }),
				);
			};
			const onExit = () => fail(new Error("the thread ended"));
			const timer = setTimeout(
				() => fail(new Error("no answer in time")),
				answerMsMax,
			);
			worker.on("message", onFound).on("error", fail).on("exit", onExit);
			worker.postMessage(order);
		});
	}

	#running(): Worker {
		if (this.#worker) return this.#worker;
		const url = new URL("./keyword-worker.js", import.meta.url);
		const worker = new Worker(url);
		worker.on("error", () => {}); // whoever waits is told
		worker.on("exit", () => {
			if (this.#worker === worker) this.#worker = undefined;
		});
		this.#worker = worker;
		return worker;
	}

	#restSoon(): void {
		this.#idle = setTimeout(() => void this.close(), idleMs);
		this.#idle.unref();
		this.#worker?.unref();
	}
}

/** In code points, without counting what is longer anyhow. */
function isLonger(text: string, charactersMax: number): boolean {
	if (text.length <= charactersMax) return false;
	if (text.length > 2 * charactersMax) return true;
	let characters = 0;
	for (const _ of text) characters++;
	return characters > charactersMax;
}
