/** The transcript of a file: speakers and channels (docs/interface.md section 2.5, docs/decisions.md section 8). */

import t from "tap";
import type { Turn } from "../../runtime/engine/file-job.js";
import type { Language } from "../../runtime/text/languages.js";
import { compose, optionsOf, utteranceOf } from "./utterances.js";

const zh: Language = "zh-cmn-Hans-CN";
const ja: Language = "ja-JP";
const en: Language = "en-US";

t.test("channels are told by time, each under its number", async (t) => {
	const left = [utteranceOf("你好。", zh, 0), utteranceOf("再见。", zh, 8000)];
	const right = [utteranceOf("您好。", zh, 4000)];
	const { segments } = await compose(
		optionsOf(zh, { channels: 2, paragraphCondition: 100 }),
		[left, right],
	);
	t.same(
		segments.map((it) => [it.transcript, it.cluster_id, it.paragraph]),
		[
			["你好。", 1, 1],
			["您好。", 2, 2],
			["再见。", 1, 3],
		],
	);
});

t.test("a sentence that two voices share is cut between them", async (t) => {
	const turns = [
		{ startMs: 0, endMs: 950, speaker: 1 },
		{ startMs: 950, endMs: 4000, speaker: 2 },
	];
	const spoken = [utteranceOf("今天下雨了吗下了一整天啊。", zh, 0, 150)];
	const { segments } = await compose(
		optionsOf(zh, { clusters: 2 }),
		[spoken],
		turns,
	);
	t.same(
		segments.map((it) => [it.transcript, it.cluster_id]),
		[
			["今天下雨了吗", 1],
			["下了一整天啊。", 2],
		],
	);
});

t.test("a border drawn a little wrong cuts no word off", async (t) => {
	const turns = [
		{ startMs: 0, endMs: 1700, speaker: 1 },
		{ startMs: 1700, endMs: 9000, speaker: 2 },
	];
	const spoken = [
		utteranceOf("今天下雨了吗？", zh),
		utteranceOf("下了一整天啊。", zh, 1500),
	];
	const { segments } = await compose(
		optionsOf(zh, { clusters: 0 }),
		[spoken],
		turns,
	);
	t.same(
		segments.map((it) => [it.transcript, it.cluster_id]),
		[
			["今天下雨了吗？", 1],
			["下了一整天啊。", 2],
		],
	);
});

t.test(
	"a border through what belongs together moves to the best place nearby",
	async (t) => {
		const cases: [Language, string, borderMs: number, string[]][] = [
			[
				ja,
				"お名前をお願い致します山田です",
				1500,
				["お名前をお願い致します", "山田です"],
			],
			[
				en,
				"what is your name it is the Smith family",
				1000,
				["what is your name", "it is the Smith family"],
			],
			[
				zh,
				"你们什么时候来的我们昨天来的",
				1050,
				["你们什么时候来的", "我们昨天来的"],
			],
		];
		for (const [language, text, borderMs, expected] of cases) {
			const turns = [
				{ startMs: 0, endMs: borderMs, speaker: 1 },
				{ startMs: borderMs, endMs: 60_000, speaker: 2 },
			];
			const spoken = [utteranceOf(text, language)];
			const { texts } = await compose(
				optionsOf(language, { clusters: 2 }),
				[spoken],
				turns,
			);
			t.same(texts, expected, text);
		}
	},
);

t.test("voices are numbered as they appear in the result", async (t) => {
	const turns = [
		{ startMs: 0, endMs: 100, speaker: 1 }, // hums
		{ startMs: 500, endMs: 4000, speaker: 7 },
		{ startMs: 8000, endMs: 9000, speaker: 3 },
		{ startMs: 12_000, endMs: 13_000, speaker: 7 },
	];
	const spoken = [1000, 8000, 12_000].map((it) => utteranceOf("好。", zh, it));
	const { segments } = await compose(
		optionsOf(zh, { clusters: 0 }),
		[spoken],
		turns,
	);
	t.same(
		segments.map((it) => it.cluster_id),
		[1, 2, 1],
	);
});

t.test("a voice of which only marks are left has no number", async (t) => {
	const turns = [
		{ startMs: 0, endMs: 1000, speaker: 1 },
		{ startMs: 2000, endMs: 4000, speaker: 2 },
		{ startMs: 5000, endMs: 6000, speaker: 3 },
	];
	for (const mark of ["…", "？", "..."]) {
		const spoken = [
			utteranceOf(mark, zh, 0),
			utteranceOf("你好。", zh, 2000),
			utteranceOf("好。", zh, 5000),
		];
		const options = optionsOf(zh, { clusters: 0, punctuation: false });
		const { segments } = await compose(options, [spoken], turns);
		t.same(
			segments.map((it) => [it.transcript, it.cluster_id]),
			[
				["你好", 1],
				["好", 2],
			],
			mark,
		);
	}
});

t.test(
	"a line of subtitles names only those who speak at the same time as it",
	async (t) => {
		const spoken = utteranceOf(
			"I think that we should probably wait for the results of the investigation before we decide.",
			en,
		);
		const turns: Turn[] = [
			{ startMs: 0, endMs: spoken.endMs, speaker: 1 },
			{ startMs: spoken.endMs - 300, endMs: 9000, speaker: 2, beside: true },
		];
		const overlaps = async (output: "text" | "subtitle") => {
			const options = optionsOf(en, { clusters: 2, output });
			const { segments } = await compose(options, [[spoken]], turns);
			return segments.map((it) => it.overlap_cluster_ids);
		};
		t.same(await overlaps("text"), [[2]]);
		t.same(await overlaps("subtitle"), [undefined, undefined, [2]]);
	},
);

t.test("one voice that was asked for is voice 1", async (t) => {
	const { segments } = await compose(optionsOf(zh, { clusters: 1 }), [
		[utteranceOf("好。", zh)],
	]);
	t.equal(segments[0]?.cluster_id, 1);
});
