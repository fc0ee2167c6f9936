/** A transcript in a file format (`format=` of a result), written piece by piece: it may be hours long. JSON is the body of the result endpoint itself. */
import type { StoredResult } from "../../task-service.js";
import { writeSrt } from "./srt.js";
import { writeText } from "./text.js";
import { writeVtt } from "./vtt.js";

export const resultFormats = ["json", "srt", "vtt", "txt"] as const;
export type ResultFormat = (typeof resultFormats)[number];

export const contentTypes: Readonly<Record<ResultFormat, string>> = {
	json: "application/json; charset=utf-8",
	srt: "application/x-subrip; charset=utf-8",
	vtt: "text/vtt; charset=utf-8",
	txt: "text/plain; charset=utf-8",
};

/** @returns pieces of a few kilobytes at most, in order; for JSON the pieces of the envelope's `data`. */
export function writeResult(
	format: ResultFormat,
	result: StoredResult,
): Iterable<string> {
	switch (format) {
		case "json":
			return writeJson(result);
		case "srt":
			return writeSrt(result.segments());
		case "vtt":
			return writeVtt(result.segments());
		case "txt":
			return writeText(result.segments());
	}
}

/** @param more additional fields of the same object, after the result's. */
export function* writeJson(
	result: StoredResult,
	more: Readonly<Record<string, unknown>> = {},
): Generator<string> {
	yield '{"result":[';
	let before = "";
	for (const segment of result.segments()) {
		yield before + JSON.stringify(segment);
		before = ",";
	}
	yield `],"statistics":${JSON.stringify(result.statistics)}`;
	for (const [name, value] of Object.entries(more))
		if (value !== undefined)
			yield `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
	yield "}";
}
