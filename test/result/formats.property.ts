/** Any transcript as a file of subtitles, read by ffmpeg. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type ResultFormat,
	writeResult,
} from "../../runtime/tasks/result/formats/formats.js";
import type {
	ResultSegment,
	Statistics,
} from "../../runtime/tasks/result/result.js";
import { timeCode, timeCodeMs } from "../../runtime/tasks/result/time-code.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random } from "../fuzz/random.js";
import { languages, randomText } from "./random-speech.js";

const segmentsMax = 100;

interface Case {
	readonly format: "srt" | "vtt";
	readonly segments: readonly ResultSegment[];
}

export const ffmpegReadsWhatWasWritten = (): Property<Case> => ({
	name: "result/subtitles",
	promise: "ffmpeg reads back what was written",
	draw: (random) => ({
		format: pick(random, ["srt", "vtt"] as const),
		segments: someSegments(random),
	}),
	check({ format, segments }) {
		const cues = readByFfmpeg(format, segments);
		assert.equal(cues.length, segments.length);
		for (const [
			i,
			{ begin, end, transcript, cluster_id },
		] of segments.entries()) {
			const isNamed = format === "srt" && cluster_id !== undefined;
			const who = isNamed ? `${cluster_id}: ` : "";
			const wanted = {
				fromMs: timeCodeMs(begin),
				toMs: timeCodeMs(end),
				shown: who + transcript.replaceAll("-->", "→"),
			};
			assert.deepEqual(cues[i], wanted);
		}
	},
});

function readByFfmpeg(format: "srt" | "vtt", segments: Case["segments"]) {
	const dir = mkdtempSync(join(tmpdir(), "earshot-subtitles-"));
	try {
		const file = join(dir, `x.${format}`);
		writeFileSync(file, written(format, segments));
		const srt = execFileSync(
			"ffmpeg",
			["-v", "error", "-i", file, "-f", "srt", "pipe:1"],
			{ encoding: "utf8" },
		);
		return srt
			.trim()
			.split(/\n\n+(?=\d+\n)/)
			.map(cueOf);
	} finally {
		rmSync(dir, { recursive: true });
	}
}

function cueOf(cue: string) {
	const [, when = "", ...text] = cue.split("\n");
	const [from = "", to = ""] = when.split(" --> ");
	// ffmpeg marks up what it writes
	const shown = text
		.join("\n")
		.replace(/<\/?font[^>]*>|\\h/g, "")
		.replaceAll("{\\an7}", "")
		.trim();
	return { fromMs: timeCodeMs(from), toMs: timeCodeMs(to), shown };
}

function someSegments(random: Random): ResultSegment[] {
	let endMs = 0;
	return Array.from({ length: 1 + below(random, segmentsMax) }, () => {
		const language = pick(random, languages.slice(0, 3));
		// what looks like a tag is one in SubRip, and only there
		const text = randomText(random, language, 1 + below(random, 8));
		const beginMs = endMs + below(random, 100_000);
		endMs = beginMs + 1 + below(random, 7000);
		return segment(
			text.replaceAll("<b>", "<").trim(),
			beginMs,
			endMs,
			random() < 0.5 ? {} : { cluster_id: 1 + below(random, 3) },
		);
	});
}

export const statistics: Statistics = {
	speed: 200,
	word_count: 12,
	insert_time: "2026-11-21 08:00:00",
	process_time: "2026-11-21 08:00:01",
	finish_time: "2026-11-21 08:00:02",
};

export function segment(
	transcript: string,
	beginMs: number,
	endMs: number,
	rest: Partial<ResultSegment> = {},
): ResultSegment {
	return {
		begin: timeCode(beginMs),
		end: timeCode(endMs),
		seg_num: 1,
		transcript,
		confidence: 0.9,
		paragraph: 1,
		...rest,
	};
}

export function written(
	format: ResultFormat,
	segments: readonly ResultSegment[],
): string {
	return [
		...writeResult(format, { segments: () => segments, statistics }),
	].join("");
}
