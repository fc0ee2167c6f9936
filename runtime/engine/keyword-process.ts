/**
 * Keywords out of texts, in a process of its own: a million characters take jieba 0.2 s in one piece, and its dictionaries 0.3 s and 100 MB; five hours of
 * Japanese take seconds. So main's event loop never waits for it, and the process is there only while it has something to do. (A thread does as well, but
 * what it took is not given back: 100 MB stayed with the server after the first text.)
 */
import { type ChildProcess, spawn } from "node:child_process";
import { ownCommand } from "../config/own-program.js";
import { CodedError } from "../errors.js";
import type { Language } from "../models/recognizer.js";

/** To the process; back comes a list of words, best first. */
export type KeywordOrder =
	/** Terms for a list of hotwords, of Chinese text. */
	| {
			readonly is: "terms";
			readonly text: string;
			readonly countMax: number;
	  }
	/** What a transcript is about; a line for each utterance. */
	| {
			readonly is: "transcript";
			readonly text: string;
			readonly language: Language;
			readonly countMax: number;
	  };

/** Texts that wait for their turn; each may be 4 MB. */
const waitingMax = 8;
const idleMs = 10_000;

export class KeywordProcess {
	readonly #answerMsMax: number;
	#finder: ChildProcess | undefined;
	#last: Promise<unknown> = Promise.resolve();
	#waiting = 0;
	#idle: NodeJS.Timeout | undefined;

	/** @param answerMsMax for one text, the dictionaries included. */
	constructor(answerMsMax = 30_000) {
		this.#answerMsMax = answerMsMax;
	}

	/** @throws CodedError 100003, 100004 */
	async find(order: KeywordOrder): Promise<readonly string[]> {
		if (this.#waiting >= waitingMax)
			throw new CodedError("100004", "too many texts wait for extraction", {
				retryAfterSeconds: waitingMax,
			});
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

	/** Ends the process; the next text starts another. */
	async close(): Promise<void> {
		clearTimeout(this.#idle);
		const finder = this.#finder;
		this.#finder = undefined;
		if (finder?.pid === undefined) return; // never started
		if (finder.exitCode !== null || finder.signalCode !== null) return;
		const ended = new Promise((resolve) => finder.once("exit", resolve));
		finder.kill("SIGKILL");
		await ended;
	}

	#ask(order: KeywordOrder): Promise<string[]> {
		const finder = this.#running();
		return new Promise<string[]>((resolve, reject) => {
			const settle = () => {
				clearTimeout(timer);
				finder.off("message", onFound).off("error", fail).off("exit", onExit);
			};
			const onFound = (found: unknown) => {
				settle();
				resolve(found as string[]);
			};
			const fail = (cause: unknown) => {
				settle();
				void this.close();
				reject(
					new CodedError("100003", "keywords can't be extracted", { cause }),
				);
			};
			const onExit = (code: number | null, signal: string | null) =>
				fail(new Error(`the process ended: ${signal ?? `exit code ${code}`}`));
			const timer = setTimeout(
				() => fail(new Error("no answer in time")),
				this.#answerMsMax,
			);
			finder.on("message", onFound).on("error", fail).on("exit", onExit);
			if (finder.pid === undefined) return; // "error" is on its way
			finder.send(order, (error) => {
				if (error) fail(error);
			});
		});
	}

	#running(): ChildProcess {
		if (this.#finder) return this.#finder;
		const { file, args } = ownCommand("keywords");
		const finder = spawn(file, args, {
			stdio: ["ignore", "inherit", "inherit", "ipc"],
			serialization: "advanced",
		});
		finder.on("error", () => {}); // whoever waits is told
		finder.on("exit", () => {
			if (this.#finder === finder) this.#finder = undefined;
		});
		this.#finder = finder;
		return finder;
	}

	#restSoon(): void {
		this.#idle = setTimeout(() => void this.close(), idleMs);
		this.#idle.unref();
	}
}
