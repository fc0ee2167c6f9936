/** A transcript as a file: what was written is what is read, by ffmpeg and by the letter. */
import t from "tap";
import { findExecutable } from "../../drivers/ffmpeg/executable.js";
import { writeJson } from "../../runtime/tasks/result/formats/formats.js";
import { timeCode, timeCodeMs } from "../../runtime/tasks/result/time-code.js";
import { holds } from "../fuzz/holds.js";
import {
	ffmpegReadsWhatWasWritten,
	segment,
	statistics,
	written,
} from "./formats.property.js";

const ffmpegMissing = (await findExecutable("ffmpeg"))
	? false
	: "ffmpeg is not installed";

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
	const corrected = [
		segment("Good\r\n\nday", 0, 1, { cluster_id: 1 }),
		segment(" \n", 1, 2, { cluster_id: 1 }),
		segment("to you.", 2, 3, { cluster_id: 1 }),
	];
	t.equal(
		written("txt", corrected),
		"1: Good day\nto you.\n",
		"a line break in a correction begins no line",
	);
	const understood = [
		segment("Good", 0, 1, { cluster_id: 1 }),
		segment("day?", 1, 2, { cluster_id: 2, understood: false, original: "" }),
		segment("to you.", 2, 3, { cluster_id: 1 }),
	];
	t.equal(
		written("txt", understood),
		"1: Good\n\n2: day?\n\n1: to you.\n",
		"what only a person understood is its speaker's",
	);
	const anna = { speaker: "Anna" };
	const renamed = [
		segment("Good", 0, 1, { cluster_id: 1, paragraph: 1, ...anna }),
		segment("day", 1, 2, { cluster_id: 3, paragraph: 2, ...anna }),
		segment("to you.", 2, 3, { cluster_id: 3, paragraph: 3, ...anna }),
		segment("Bye.", 3, 4, { cluster_id: 2, paragraph: 4 }),
	];
	t.equal(
		written("txt", renamed),
		"Anna: Good\nday\n\nAnna: to you.\n\n2: Bye.\n",
		"two with one name are one person",
	);
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

t.test("ffmpeg", { skip: ffmpegMissing }, async (t) => {
	await holds(t, ffmpegReadsWhatWasWritten(), 6);
});

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
