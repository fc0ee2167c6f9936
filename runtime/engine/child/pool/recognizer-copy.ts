/**
 * A process with a further copy of an engine's recognizer: it recognizes one batch after another until the engine exits. Signals from the terminal or the
 * service manager are left to the main process, and thereby to the engine.
 */
import assert from "node:assert";
import { openOnnx } from "../../../../drivers/onnx/session.js";
import type {
	SegmentRequest,
	SpeechRecognizer,
} from "../../../models/recognizer.js";
import type { WordList } from "../../../words/word-list.js";
import { loadRecognizer } from "../models.js";
import type {
	CopySettings,
	FromCopy,
	SentRequest,
	ToCopy,
} from "./copy-protocol.js";
import { recognizeAll } from "./recognizer-pool.js";

/** Rare enough to cost nothing. */
const aliveEveryMs = 200;

/** Runs until the channel closes. */
export function runRecognizerCopy(): void {
	const copy = new RecognizerCopy();
	process.on("message", (message) => copy.accept(message as ToCopy));
	process.on("disconnect", () => process.exit(0));
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
		process.on(signal, () => {});
}

class RecognizerCopy {
	#recognizer: SpeechRecognizer | undefined;
	/** By key. */
	#lists: ReadonlyMap<string, WordList> = new Map();
	/** By unanswered batch: the requests that were cancelled. */
	readonly #cancelled = new Map<number, Set<number>>();
	/** Settles when the earlier batches are answered. */
	#answered: Promise<void> = Promise.resolve();
	#aliveSentMs = 0;

	accept(message: ToCopy): void {
		switch (message.is) {
			case "load":
				void this.#load(message.settings);
				return;
			case "recognize":
				this.#cancelled.set(message.id, new Set());
				this.#answered = this.#answered.then(() => this.#recognize(message));
				return;
			case "cancel":
				this.#cancelled.get(message.id)?.add(message.index);
		}
	}

	async #load(settings: CopySettings): Promise<void> {
		try {
			// the engine has verified the checksums
			const wanted = { ...settings, verify: false };
			this.#recognizer = await loadRecognizer(openOnnx(settings), wanted, {
				onRefinementFailed: (error) =>
					send({ is: "refinement-failed", message: messageOf(error) }),
				// it would recognize that language worse than the engine itself, or not at all
				onModelFailed: (name, error) =>
					send({ is: "broken", message: `${name}: ${messageOf(error)}` }),
			});
			send({ is: "ready" });
		} catch (error) {
			send({ is: "broken", message: messageOf(error) });
		}
	}

	async #recognize({
		id,
		requests,
		lists,
	}: Extract<ToCopy, { is: "recognize" }>): Promise<void> {
		if (lists) this.#lists = this.#kept(lists);
		try {
			if (!this.#recognizer)
				throw new Error("received a request before the recognizer was loaded");
			const results = await recognizeAll(
				this.#recognizer,
				requests.map((it, i) => this.#received(it, id, i)),
			);
			send({ is: "recognized", id, results });
		} catch (error) {
			send({ is: "failed", id, message: messageOf(error) });
		}
		this.#cancelled.delete(id);
	}

	/** A list that it has stays the same object: what was compiled from it is cached with it. */
	#kept(lists: readonly WordList[]): ReadonlyMap<string, WordList> {
		return new Map(
			lists.map((it) => [it.key, this.#lists.get(it.key) ?? it] as const),
		);
	}

	#received(
		{ hotwords: named, ...request }: SentRequest,
		batch: number,
		index: number,
	): SegmentRequest {
		const cancelled = () => this.#isCancelled(batch, index);
		if (!named) return { ...request, cancelled };
		const list = this.#lists.get(named.key);
		assert(list, `the list ${named.key} was not sent`);
		const hotwords = { list, weight: named.weight };
		return { ...request, cancelled, hotwords };
	}

	#isCancelled(batch: number, index: number): boolean {
		const now = performance.now();
		if (now - this.#aliveSentMs > aliveEveryMs) {
			this.#aliveSentMs = now;
			send({ is: "alive" });
		}
		return this.#cancelled.get(batch)?.has(index) ?? false;
	}
}

function send(message: FromCopy): void {
	if (!process.connected) return;
	process.send?.(message, undefined, undefined, () => {});
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
