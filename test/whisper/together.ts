/** The clips of test/clips as requests to a recognizer: together in one batch, or each alone. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type {
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../../runtime/models/recognizer.js";
import type { Language } from "../../runtime/text/languages.js";
import { readWav } from "./packages.js";

const clips = readdirSync("test/clips")
	.filter((name) => name.endsWith(".wav") && !name.includes("0920"))
	.map((name) => ({
		samples: readWav(join("test/clips", name)),
		language: (name.startsWith("ja") ? "ja-JP" : "en-US") as Language,
	}));

export function requestsOf(
	changes: Partial<SegmentRequest> = {},
): SegmentRequest[] {
	return clips.map((clip) => ({
		...clip,
		beam: 5,
		punctuation: true,
		words: true,
		...changes,
	}));
}

export async function together(
	recognizer: SpeechRecognizer,
	requests: readonly SegmentRequest[],
): Promise<(Hypothesis | "cancelled")[]> {
	if (!recognizer.recognizeAll) throw new Error("it can't");
	return [...(await recognizer.recognizeAll(requests))];
}

export function textOf(result: Hypothesis | "cancelled" | undefined): string {
	return result === undefined || result === "cancelled"
		? `${result}`
		: result.text;
}

export async function alone(
	recognizer: SpeechRecognizer,
	requests: readonly SegmentRequest[],
): Promise<(Hypothesis | "cancelled")[]> {
	const results: (Hypothesis | "cancelled")[] = [];
	for (const one of requests)
		results.push(...(await together(recognizer, [one])));
	return results;
}
