/** The thread that finds keywords: one text after the other. Started and ended by keyword-extractor.ts. */
import { parentPort } from "node:worker_threads";
import { openKeywords } from "../../words/chinese-keywords.js";

export interface KeywordOrder {
	readonly text: string;
	readonly countMax: number;
}

const find = openKeywords();
parentPort?.on("message", ({ text, countMax }: KeywordOrder) =>
	parentPort?.postMessage(find(text, countMax)),
);
