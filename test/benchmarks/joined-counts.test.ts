/** How joined recordings are made and counted. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import type { Clip } from "../../scripts/benchmarks/clips.js";
import {
	JoinedCounts,
	scriptOf,
} from "../../scripts/benchmarks/joined/counts.js";
import type { Plan } from "../../scripts/benchmarks/joined/recordings.js";
import { readWav, writeWav } from "../../scripts/benchmarks/wav.js";

const folder = mkdtempSync(join(tmpdir(), "earshot-joined-"));
t.teardown(() => rmSync(folder, { recursive: true }));
process.env.EARSHOT_BENCH_CACHE = folder;
const { makeRecordings } = await import(
	"../../scripts/benchmarks/joined/recordings.js"
);

/** Half a second of one value each. */
const clips: Clip[] = ["zh", "en", "zh", "en", "en", "zh", "en", "zh"].map(
	(language, i) => {
		const path = join(folder, `${language}-${i}.wav`);
		writeWav(path, new Int16Array(8000).fill(1000 * (i + 1)));
		return {
			name: `${language}-${i}`,
			path,
			seconds: 0.5,
			isPhonetic: false,
			language: language as "zh" | "en",
			reference: `said ${i}`,
		};
	},
);
const plan: Plan = {
	label: "zh-en",
	sentences: 2,
	pauseSeconds: 0.5,
	voices: "changing",
	levelDb: 20,
};
const indexOf = ({ name }: Clip) => Number(name.slice(3));

t.test(
	"a recording is of one half, and its languages take turns",
	async (t) => {
		const recordings = makeRecordings(clips, plan, 2);
		t.equal(recordings.length, 4);
		for (const { half, members } of recordings) {
			t.same(members.map((it) => it.language).sort(), ["en", "zh"]);
			for (const it of members)
				t.equal(indexOf(it) % 2, half === "even" ? 0 : 1);
		}
		t.same(
			makeRecordings(clips, plan, 2).map((it) => it.members),
			recordings.map((it) => it.members),
			"the same again",
		);
	},
);

t.test("pauses and levels are as planned", async (t) => {
	const [recording] = makeRecordings(clips, plan, 1) as [
		ReturnType<typeof makeRecordings>[0],
	];
	const samples = readWav(recording.path);
	t.equal(samples.length, 4 * 8000, "a pause behind each");
	const [first, second] = recording.members.map(indexOf) as [number, number];
	t.equal(samples[0], 1000 * (first + 1));
	t.equal(samples[8000], 0);
	t.equal(samples[16_000], 100 * (second + 1), "20 dB below");
});

t.test(
	"one voice where it is asked for, none where nobody says two",
	async (t) => {
		const same = { ...plan, label: "en", voices: "same" } as const;
		t.same(makeRecordings(clips, same, 2), []);
		const readers = clips.map((it, i) => ({
			...it,
			name: `en-librivox-${i}`,
			language: "en" as const,
		}));
		t.equal(makeRecordings(readers, same, 1).length, 2);
	},
);

t.test(
	"errors are counted by half and language, beside those alone",
	async (t) => {
		const counts = new JoinedCounts();
		const clip = (name: string, language: "zh" | "en", reference: string) =>
			({
				name,
				language,
				reference,
				path: "",
				seconds: 1,
				isPhonetic: false,
			}) as const;
		const members = [
			clip("a", "zh", "今天天气很好"),
			clip("b", "en", "come home at 8"),
		];
		const about = { ...plan, half: "even", path: "", members } as const;
		const alone = ({ name }: Clip) =>
			name === "a" ? "今天天气很好" : "come home at eight";
		counts.add(about, "今天天气很坏。 come home at 8.", alone);
		t.equal(counts.percents({ language: "en" }).joined, 0);
		t.equal(counts.percents({ language: "zh" }).joined.toFixed(1), "16.7");
		t.equal(counts.percents({ half: "even" }).alone, 0);
		t.same(counts.lost, []);
		counts.add({ ...about, half: "odd" }, "今天天气很好。", alone);
		t.equal(counts.percents({ half: "odd", language: "en" }).joined, 100);
		t.same(
			counts.lost.map((it) => it.clip),
			["b"],
		);
		t.equal(counts.sentences, 4);
	},
);

t.test("numbers belong to the words around them", async (t) => {
	const text = "早上9点开门 the train leaves at 8, 8 people 都来了";
	t.match(scriptOf(text, "zh"), /^早上9点开门\s+[\s,]*都来了$/);
	t.match(scriptOf(text, "en"), /^the train leaves at 8\s+8\s+people $/);
	const counted = "我数了1，2，3。1, 2, 3. 早上9点。";
	t.match(scriptOf(counted, "zh"), /^我数了1，2，3。\s+\. 早上9点。$/);
	t.equal(scriptOf(counted, "en"), "1, 2, 3");
	t.equal(scriptOf("不是。1 2 3. 日本", "en"), "1 2 3");
});

t.test("clips come again until a recording is as long as asked", async (t) => {
	const long = { ...plan, sentences: 0, minutes: 0.1 };
	const [recording] = makeRecordings(clips, long, 1);
	t.equal(recording?.members.length, 6, "6 s of half a second and its pause");
	t.ok(new Set(recording?.members).size < 6);
});

t.test(
	"a sentence counts where it was said, not where it was before",
	async (t) => {
		const members = [
			"come home at eight",
			"leave it there",
			"come home at eight",
		].map(
			(reference) =>
				({
					name: reference,
					reference,
					language: "en",
					path: "",
					seconds: 1,
					isPhonetic: false,
				}) as const,
		);
		const again = [members[0], members[1], members[0]] as Clip[];
		const about = { ...plan, label: "en", half: "even", path: "" } as const;
		const alone = ({ reference }: Clip) => reference ?? "";
		const lostOf = (text: string) => {
			const counts = new JoinedCounts();
			counts.add({ ...about, members: again }, text, alone);
			return counts.lost.map((it) => it.clip);
		};
		t.same(lostOf("come home at eight leave it there come home at eight"), []);
		t.same(lostOf("come home at eight leave it there"), ["come home at eight"]);
		t.same(lostOf("come home at eight come home at eight"), ["leave it there"]);
	},
);
