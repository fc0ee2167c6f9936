/** The transcript of a file: speech that was skipped or has no text (docs/interface.md section 2.5, docs/decisions.md section 8). */

import t from "tap";
import type { Turn } from "../../runtime/engine/file-job.js";
import type { Language } from "../../runtime/text/languages.js";
import { compose, optionsOf, utteranceOf } from "./utterances.js";

const zh: Language = "zh-cmn-Hans-CN";

t.test("what was skipped is not in the text", async (t) => {
	const recognized = utteranceOf("听得清。", zh, 5000);
	const skipped = {
		...utteranceOf("？", zh),
		text: "",
		words: [],
		skipped: true,
	};
	const { texts, statistics } = await compose(optionsOf(zh), [
		[skipped, recognized],
	]);
	t.same(texts, ["听得清。"]);
	t.equal(statistics.word_count, 3);
});

t.test("with words, speech without a text has its place", async (t) => {
	const recognized = utteranceOf("听得清。", zh, 5000);
	const missed = {
		index: 1,
		beginMs: 1200,
		endMs: 3400,
		confidence: 0,
		text: "",
		words: [],
		unheard: { why: "doubt", seconds: 1.5 },
	};
	const skipped = { ...missed, beginMs: 7000, endMs: 8000, skipped: true };
	const channel = [missed, recognized, skipped];
	const { segments, statistics } = await compose(
		optionsOf(zh, { words: true, clusters: 1 }),
		[channel],
	);
	t.match(segments, [
		{
			begin: "00:00:01,200",
			end: "00:00:03,400",
			seg_num: 1,
			transcript: "",
			understood: false,
			confidence: 0,
			words: [],
			paragraph: 1,
		},
		{ seg_num: 2, transcript: "听得清。", paragraph: 1, cluster_id: 1 },
		{ begin: "00:00:07,000", seg_num: 3, transcript: "", understood: false },
	]);
	t.equal(segments.length, 3);
	t.notOk("understood" in (segments[1] ?? {}), "as before");
	t.equal(statistics.word_count, 3);
	for (const options of [
		optionsOf(zh),
		optionsOf(zh, { words: true, output: "subtitle" }),
	])
		t.equal((await compose(options, [channel])).segments.length, 1);
	const stereo = await compose(optionsOf(zh, { words: true, channels: 2 }), [
		[recognized],
		[missed],
	]);
	t.same(
		stereo.segments.map((it) => [it.cluster_id, it.understood]),
		[
			[2, false],
			[1, undefined],
		],
	);
});

t.test(
	"speech without a text inside an utterance keeps its time",
	async (t) => {
		const times = new Map([
			["先", [0, 3000] as const],
			["后", [6000, 7000] as const],
			["完", [7000, 8000] as const],
		]);
		const utterance = (text: string) => ({
			index: 1,
			beginMs: 0,
			endMs: 8000,
			confidence: 0.9,
			text,
			words: [...text].map((it, at) => {
				const mark = times.get(text[at - 1] ?? "")?.[1] ?? 0;
				const [startMs, endMs] = times.get(it) ?? [mark, mark];
				const kind: "normal" | "punc" = times.has(it) ? "normal" : "punc";
				return { text: it, startMs, endMs, kind, confidence: 0.9 };
			}),
		});
		const missed = {
			index: 2,
			beginMs: 3500,
			endMs: 5200,
			confidence: 0,
			text: "",
			words: [],
			unheard: { why: "no words", seconds: 1.5 },
		};
		const next = utteranceOf("再见。", zh, 7900);
		const composed = async (text: string, turns: readonly Turn[] = []) => {
			const { segments } = await compose(
				optionsOf(zh, { words: true }),
				[[utterance(text), missed, next]],
				turns,
			);
			t.same(
				segments.map((it) => it.seg_num),
				segments.map((_, at) => at + 1),
			);
			return segments.map((it) => [it.transcript, it.begin, it.end]);
		};
		const gap = ["", "00:00:03,500", "00:00:05,200"];
		const end = ["再见。", "00:00:08,000", "00:00:08,200"];
		t.same(await composed("先后完。"), [
			["先后完。", "00:00:00,000", "00:00:08,000"],
			gap,
			end,
		]);
		t.same(
			await composed("先。后。完。"),
			[
				["先。", "00:00:00,000", "00:00:03,000"],
				gap,
				["后。", "00:00:06,000", "00:00:07,000"],
				["完。", "00:00:07,000", "00:00:08,000"],
				end,
			],
			"between two sentences",
		);
		const turns = [
			{ startMs: 0, endMs: 3200, speaker: 1 },
			{ startMs: 5500, endMs: 9000, speaker: 2 },
		];
		t.same(
			await composed("先后完。", turns),
			[
				["先", "00:00:00,000", "00:00:03,000"],
				gap,
				["后完。", "00:00:06,000", "00:00:08,000"],
				end,
			],
			"between two speakers",
		);
	},
);
