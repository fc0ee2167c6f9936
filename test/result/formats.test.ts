/** A transcript as a file: what was written is what is read, by ffmpeg and by the letter. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { findExecutable } from "../../drivers/ffmpeg/executable.js";
import {
	type ResultFormat,
	writeJson,
	writeResult,
} from "../../runtime/tasks/result/formats/formats.js";
import type {
	ResultSegment,
	Statistics,
} from "../../runtime/tasks/result/result.js";
import { timeCode, timeCodeMs } from "../../runtime/tasks/result/time-code.js";
import { pick, randomText, seededRandom } from "./random-speech.js";

const ffmpeg = await findExecutable("ffmpeg");
const seed = Number(process.env.EARSHOT_SEED ?? Date.now() % 1e9);
t.comment(`seed ${seed}`);

const statistics: Statistics = {
	speed: 200,
	word_count: 12,
	insert_time: "2026-11-21 08:00:00",
	process_time: "2026-11-21 08:00:01",
	finish_time: "2026-11-21 08:00:02",
};

function segment(
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

function written(
	format: ResultFormat,
	segments: readonly ResultSegment[],
): string {
	return [
		...writeResult(format, { segments: () => segments, statistics }),
	].join("");
}

const two = [
	segment("你好 <b>R&D</b> --> x", 1500, 3250, { cluster_id: 1 }),
	segment("Good bye.", 3_603_000, 3_604_001, { cluster_id: 2, paragraph: 2 }),
];

t.test("SubRip", async (t) => {
	t.equal(
		written("srt", two),
		"1\r\n00:00:01,500 --> 00:00:03,250\r\n1: 你好 <b>R&D</b> → x\r\n\r\n2\r\n01:00:03,000 --> 01:00:04,001\r\n2: Good bye.\r\n\r\n",
	);
	t.equal(written("srt", []), "");
});

t.test("WebVTT", async (t) => {
	t.equal(
		written("vtt", two),
		"WEBVTT\n\n1\n00:00:01.500 --> 00:00:03.250\n<v 1>你好 &lt;b&gt;R&amp;D&lt;/b&gt; --&gt; x\n\n2\n01:00:03.000 --> 01:00:04.001\n<v 2>Good bye.\n\n",
	);
	t.equal(written("vtt", []), "WEBVTT\n\n");
});

t.test("plain text, in paragraphs", async (t) => {
	t.equal(written("txt", two), "1: 你好 <b>R&D</b> --> x\n\n2: Good bye.\n");
	const plain = [
		segment("一。", 0, 1),
		segment("二。", 1, 2),
		segment("三。", 2, 3, { paragraph: 2 }),
	];
	t.equal(written("txt", plain), "一。\n二。\n\n三。\n");
});

t.test("JSON, with more beside the result", async (t) => {
	t.same(JSON.parse(written("json", two)), { result: two, statistics });
	const result = { segments: () => two, statistics };
	t.same(
		JSON.parse(
			[...writeJson(result, { task_id: "x", nothing: undefined })].join(""),
		),
		{ result: two, statistics, task_id: "x" },
	);
	t.same(JSON.parse(written("json", [])), { result: [], statistics });
});

t.test("a cue lasts, and none is empty", async (t) => {
	const segments = [
		segment("啊", 1000, 1000),
		segment("  ", 2000, 3000),
		segment("a\n\nb", 4000, 5000),
	];
	t.match(written("vtt", segments), /00:00:01\.000 --> 00:00:01\.001/);
	t.match(
		written("srt", segments),
		/\r\n2\r\n00:00:04,000 --> 00:00:05,000\r\na b\r\n\r\n$/,
	);
});

t.test(
	"ffmpeg reads back what was written",
	{ skip: ffmpeg ? false : "ffmpeg is not installed" },
	async (t) => {
		const random = seededRandom(seed);
		const dir = mkdtempSync(join(tmpdir(), "earshot-subtitles-"));
		t.teardown(() => rmSync(dir, { recursive: true }));
		const segments: ResultSegment[] = [];
		let atMs = 0;
		for (let i = 0; i < 300; i++) {
			const language = pick(random, [
				"zh-cmn-Hans-CN",
				"ja-JP",
				"en-US",
			] as const);
			// what looks like a tag is one in SubRip, and only there
			const text = randomText(
				random,
				language,
				1 + Math.floor(random() * 8),
			).replaceAll("<b>", "<");
			const beginMs = atMs + Math.floor(random() * 100_000);
			atMs = beginMs + 1 + Math.floor(random() * 7000);
			segments.push(
				segment(
					text.trim(),
					beginMs,
					atMs,
					random() < 0.5 ? { cluster_id: 1 + Math.floor(random() * 3) } : {},
				),
			);
		}
		for (const format of ["srt", "vtt"] as const) {
			const file = join(dir, `x.${format}`);
			writeFileSync(file, written(format, segments));
			const srt = execFileSync(
				"ffmpeg",
				["-v", "error", "-i", file, "-f", "srt", "pipe:1"],
				{ encoding: "utf8" },
			);
			const cues = srt
				.trim()
				.split(/\n\n+(?=\d+\n)/)
				.map((it) => it.split("\n"));
			t.equal(cues.length, segments.length);
			const wrong = cues.flatMap(([, when = "", ...text], i) => {
				const { begin, end, transcript, cluster_id } = segments[
					i
				] as ResultSegment;
				const isNamed = format === "srt" && cluster_id !== undefined;
				const who = isNamed ? `${cluster_id}: ` : "";
				const [from = "", to = ""] = when.split(" --> ");
				// ffmpeg marks up what it writes
				const said = text
					.join("\n")
					.replace(/<\/?font[^>]*>|\\h/g, "")
					.replaceAll("{\\an7}", "");
				const isSame =
					timeCodeMs(from) === timeCodeMs(begin) &&
					timeCodeMs(to) === timeCodeMs(end) &&
					said.trim() === who + transcript.replaceAll("-->", "→");
				return isSame ? [] : [{ when, said, begin, end, transcript }];
			});
			t.same(wrong, [], format);
		}
	},
);

t.test("time codes go there and back", async (t) => {
	for (const [ms, code] of [
		[0, "00:00:00,000"],
		[3_661_001, "01:01:01,001"],
		[359_999_999, "99:59:59,999"],
	] as const) {
		t.equal(timeCode(ms), code);
		t.equal(timeCodeMs(code), ms);
	}
});
