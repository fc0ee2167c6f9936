/**
 * A process with a further copy of an engine's recognizer: it hears one batch after the other until the engine is gone. Signals of the terminal or the
 * service manager are for the main process, and so for the engine.
 */
import { openOnnx } from "../../../../drivers/onnx/session.js";
import type {
	Hypothesis,
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

/** Seldom enough to cost nothing. */
const aliveEveryMs = 200;

/** Serves until the channel closes. */
export function runRecognizerCopy(): void {
	const copy = new RecognizerCopy();
	process.on("message", (message) => copy.accept(message as ToCopy));
	process.on("disconnect", () => process.exit(0));
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
		process.on(signal, () => {});
}

class RecognizerCopy {
	#recognizer: SpeechRecognizer | undefined;
	#list: WordList | undefined;
	#cancelled = new Set<number>();
	#toldMs = 0;

	accept(message: ToCopy): void {
		switch (message.is) {
			case "load":
				void this.#load(message.settings);
				return;
			case "hear":
				void this.#hear(message);
				return;
			case "cancel":
				this.#cancelled.add(message.index);
		}
	}

	async #load(settings: CopySettings): Promise<void> {
		try {
			// the engine has looked at the checksums
			const wanted = { ...settings, verify: false };
			this.#recognizer = await loadRecognizer(openOnnx(settings), wanted);
			tell({ is: "ready" });
		} catch (error) {
			tell({ is: "broken", message: messageOf(error) });
		}
	}

	async #hear({
		requests,
		list,
	}: Extract<ToCopy, { is: "hear" }>): Promise<void> {
		this.#list = list ?? this.#list;
		this.#cancelled = new Set();
		try {
			const results = await recognizeAll(
				this.#recognizer,
				requests.map((it, i) => this.#received(it, i)),
			);
			tell({ is: "heard", results });
		} catch (error) {
			tell({ is: "failed", message: messageOf(error) });
		}
	}

	#received(
		{ hotwordsWeight: weight, ...request }: SentRequest,
		index: number,
	): SegmentRequest {
		const cancelled = () => this.#isCancelled(index);
		if (weight === undefined || !this.#list) return { ...request, cancelled };
		const hotwords = { list: this.#list, weight };
		return { ...request, cancelled, hotwords };
	}

	#isCancelled(index: number): boolean {
		const now = performance.now();
		if (now - this.#toldMs > aliveEveryMs) {
			this.#toldMs = now;
			tell({ is: "alive" });
		}
		return this.#cancelled.has(index);
	}
}

async function recognizeAll(
	recognizer: SpeechRecognizer | undefined,
	requests: readonly SegmentRequest[],
): Promise<readonly (Hypothesis | "cancelled")[]> {
	if (!recognizer) throw new Error("asked before it was loaded");
	if (recognizer.recognizeAll) return recognizer.recognizeAll(requests);
	const results: (Hypothesis | "cancelled")[] = [];
	for (const one of requests) results.push(await recognizer.recognize(one));
	return results;
}

function tell(message: FromCopy): void {
	if (!process.connected) return;
	process.send?.(message, undefined, undefined, () => {});
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
