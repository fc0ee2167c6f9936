import t from "tap";
import { atOnce } from "../../../runtime/event-loop/piecewise.js";
import {
	CandidateTexts,
	candidateOptions,
} from "../../../runtime/search/lattice/candidates.js";
import { HotwordCandidates } from "../../../runtime/search/lattice/hotword-candidates.js";
import {
	HotwordWords,
	latticeHotword,
} from "../../../runtime/search/lattice/hotword-words.js";
import { latticeStepsMax } from "../../../runtime/search/lattice/lattice-paths.js";
import { soundOf } from "../../../runtime/search/lattice/sounds.js";
import { swapped } from "../../../runtime/search/lattice/span-swaps.js";
import type { RecognizedSyllable } from "../../../runtime/search/lattice/syllables.js";
import { holds } from "../../fuzz/holds.js";
import {
	anyTextsAndSyllables,
	unchangedTextsStay,
} from "./candidates.property.js";
import { recognizedSyllables, toyLexicon } from "./toy-evidence.js";

const lexicon = toyLexicon();

function candidatesOf(
	syllables: string,
	texts: readonly string[],
	options: Partial<typeof candidateOptions> = {},
): CandidateTexts {
	return new CandidateTexts(
		recognizedSyllables(syllables),
		texts.map((text, i) => ({ text, logp: -5 - i })),
		lexicon,
		{ ...candidateOptions, ...options },
	);
}

/** The best one of the lattice. */
function bestText({ candidates }: CandidateTexts): string | undefined {
	const found = candidates.filter((it) => it.latticeScore !== undefined);
	found.sort(
		(one, other) => (other.latticeScore ?? 0) - (one.latticeScore ?? 0),
	);
	return found[0]?.text;
}

const office =
	"guang3 zhou1 shi4 fang2 di4 chan3 zhong1 jie4 xie2 hui4 fen1 xi1";

t.test("what was heard corrects what was recognized", async (t) => {
	const found = candidatesOf(office, ["广州市佛地产中间协会分析"]);
	t.equal(bestText(found), "广州市房地产中介协会分析");
	t.equal(found.candidates[0]?.text, "广州市佛地产中间协会分析");
	t.equal(found.candidates[0]?.from, "recognizer");
});

t.test("what was heard may be wrong too", async (t) => {
	const found = candidatesOf("guang3 zhou1 shi4 huang2/fang-2.5 di4 chan3", [
		"广州市佛地产",
	]);
	t.equal(bestText(found), "广州市房地产");
	const dropped = candidatesOf("guang3 shi4 fang2 di4 chan3", ["广州市房地产"]);
	t.equal(bestText(dropped), "广州市房地产", "a syllable that was not heard");
	const added = candidatesOf("guang3 zhou1 a5 shi4 fang2 di4 chan3", [
		"广州市房地产",
	]);
	t.equal(bestText(added), "广州市房地产", "a syllable that nobody said");
});

t.test("every alternative votes, and is a candidate", async (t) => {
	const found = candidatesOf("ta1 zai4", ["他再", "她在", "它在"]);
	const texts = found.candidates.map((it) => it.text);
	t.same(texts.slice(0, 3), ["他再", "她在", "它在"]);
	t.ok(texts.includes("他在"));
	t.equal(new Set(texts).size, texts.length, "each text once");
	const few = candidatesOf("ta1 zai4", ["他再", "她在"], {
		alternatives: 1,
		latticeTexts: 2,
		secondLatticeTexts: 0,
	});
	t.ok(few.candidates.length <= 3);
});

t.test("marks, numbers and other scripts stay as they were", async (t) => {
	const found = candidatesOf("ta1 you3 shi2 wu3 ge4 o1 pu3 ping2 guo3", [
		"她有15個 Apple，平果！",
	]);
	t.equal(bestText(found), "她有15个 Apple，苹果！");
	const changed = candidatesOf("ta1 you3 wu3 ge4 ping2 guo3", [
		"他有15个苹果。",
		"他有5个苹果。",
	]);
	t.ok(changed.candidates.some(({ text }) => text === "他有5个苹果。"));
	const year = candidatesOf("er4 ling2 yi1 qi1 nian2", ["2011年"]);
	const writing = year.candidate([..."二零一七年"]).text;
	t.equal(writing, "2017年", "a changed number is in digits, too");
});

t.test("a number that becomes longer is written as one number", async (t) => {
	const writtenAs = (own: string, spoken: string, ...others: string[]) =>
		candidatesOf("ta1", [own, ...others]).candidate([...spoken]).text;
	t.equal(writtenAs("我今年15岁。", "我今年二十五岁"), "我今年25岁。");
	t.equal(writtenAs("我今年20岁。", "我今年二十五岁"), "我今年25岁。");
	t.equal(writtenAs("一共100元。", "一共一百二十元"), "一共120元。");
	t.equal(writtenAs("500块", "五百五十块"), "550块");
	t.equal(writtenAs("价格是3.5元", "价格是三点五八元"), "价格是3.58元");
	t.equal(writtenAs("价格是5元", "价格是五点八元"), "价格是5.8元");
	t.equal(writtenAs("价格是5元", "价格是二点五元"), "价格是2.5元");
	t.equal(writtenAs("占50%", "占百分之五十五"), "占55%");
	t.equal(writtenAs("号码是12345", "号码是一二三四五六"), "号码是123456");
	t.equal(writtenAs("过了3年", "过了三十年"), "过了30年");
	t.equal(writtenAs("过了5年", "过了十五年"), "过了15年");
	t.equal(writtenAs("有3-5个", "有三十五个"), "有35个");
	t.equal(writtenAs("3月5日", "三月十五日"), "3月15日");
	t.equal(writtenAs("共8人", "共八百人"), "共800人");
	t.equal(writtenAs("￥5", "十五元"), "15元");
	t.equal(writtenAs("有3个15", "有三十五"), "有35", "what was between is gone");
	const other = writtenAs("今年二岁", "今年二十五岁", "今年15岁");
	t.equal(other, "今年二十五岁", "nor in the digits of another text");
});

t.test("a number beside another one stays as it was", async (t) => {
	const writtenAs = (own: string, spoken: string, ...others: string[]) =>
		candidatesOf("ta1", [own, ...others]).candidate([...spoken]).text;
	t.equal(writtenAs("高三15班在", "高三十五班再"), "高三15班再");
	t.equal(writtenAs("高三15班在", "高二十五班在"), "高二15班在");
	t.equal(writtenAs("他有5，6个。", "他有五十六个"), "他有50，6个。");
	t.equal(writtenAs("零点5", "零点五在"), "零点5在");
	const hour = writtenAs("我们2点15走", "我们十二点十五走", "我们12点15走");
	t.equal(hour, "我们12点15走");
});

t.test("a text in traditional characters is simplified", async (t) => {
	const found = candidatesOf(office, ["廣州市佛地產中間協會分析"]);
	t.equal(found.candidates[0]?.text, "广州市佛地产中间协会分析");
	t.equal(bestText(found), "广州市房地产中介协会分析");
});

t.test(
	"characters that nobody can read or that are no words survive",
	async (t) => {
		const found = candidatesOf("ta1 zai4 wu3 le5", [
			"他在㐂犇了",
			"他在𠮷犇了",
		]);
		t.equal(found.candidates[0]?.text, "他在㐂犇了");
		t.equal(found.candidates[1]?.text, "他在𠮷犇了");
		const rare = candidatesOf("ta1 zai4 ben1", ["他在犇"]);
		t.ok(
			rare.candidates.some((it) => it.text === "他在犇" && it.latticeScore),
			"in the lattice, although no word has it",
		);
	},
);

t.test("changed characters count only if they were heard", async (t) => {
	const found = candidatesOf("ta1 zai4 yin2 hang2", ["它在英航"]);
	const changedOf = (text: string) => found.candidate([...text]).changed;
	t.equal(changedOf("它在英航"), 0);
	t.equal(changedOf("他在英航"), 1, "它 was heard as well");
	t.equal(changedOf("它在银航"), 0, "英 was not heard");
	t.equal(changedOf("她再银行"), 3);
});

t.test("a candidate knows its syllables", async (t) => {
	const found = candidatesOf("zai4 yin2 hang2", ["在银行"]);
	const names = (text: string) =>
		found
			.candidate([...text])
			.wanted.map(({ base, tone }) => `${base}${tone}`)
			.join(" ");
	t.equal(names("在银行"), "zai4 yin2 hang2", "行 as it was heard");
	const other = candidatesOf("zai4 cai2", ["在行"]).candidates[0];
	t.equal(other?.wanted[1]?.base, "xing", "or as it is mostly read");
	t.same(
		found.candidate(["在", "wi-fi"]).wanted.map((it) => it.base),
		["zai", "yin", "hang"],
		"what was heard in place of a word in another script",
	);
});

t.test("a hum is scored by a syllable that models know", async (t) => {
	const wantedOf = (syllables: string, text: string) =>
		candidatesOf(syllables, [text]).candidates[0]?.wanted.map((it) => it.base);
	t.same(wantedOf("zai4 ta1", "嗯在他"), ["en", "zai", "ta"], "not heard");
	t.same(wantedOf("na4 zai4 ta1", "嗯在他"), ["en", "zai", "ta"]);
	t.same(wantedOf("zai4", "呣在"), ["mou", "zai"]);
	t.same(wantedOf("n2 zai4", "唔在"), ["n", "zai"], "a model may know this");
});

/** A list as it is compiled for the lattice. */
function listOf(...entries: readonly string[]): HotwordWords {
	return atOnce(HotwordWords.of(entries.map(latticeHotword), lexicon));
}

/** Texts that hotwords make of the first one. */
function swappedTexts(
	found: CandidateTexts,
	hotwords: HotwordWords,
	favoured?: string,
): string[] {
	const { units = [] } = found.candidates[0] ?? {};
	const texts = new HotwordCandidates(
		found,
		hotwords,
		favoured ? [favoured] : [],
	);
	const swaps = favoured
		? texts.favouredSwaps(units, 24)
		: texts.soundSwaps(units, 24);
	return swaps.map((it) => texts.candidate(swapped(units, it)).text);
}

t.test("hotwords are tried where they sound like what was heard", async (t) => {
	const found = candidatesOf("ta1 zai4 fang2 di4", ["他在，房地。"]);
	const tried = swappedTexts(found, listOf("芳蒂", "中街", "房地", "地"));
	t.same(tried, ["他在，芳蒂。"], "with the text's marks");
	const repeated = candidatesOf("ta1 zai4 fang2 di4 fang2 di4", ["他在房地房"]);
	t.same(swappedTexts(repeated, listOf("芳蒂")).slice(0, 2), [
		"他在芳蒂房",
		"他在房地芳蒂",
	]);
	const elsewhere = candidatesOf(office, ["广州市佛地产"]);
	t.same(swappedTexts(elsewhere, listOf("努力", "芳蒂芳蒂")), []);
	const silent = candidatesOf("? ?", ["OK"]);
	t.same(swappedTexts(silent, listOf("努力")), []);
});

t.test(
	"what a search favoured is tried, difference by difference",
	async (t) => {
		const found = candidatesOf("ta1 zai4 fang2 di4 zai4", [
			"他在房地，再wifa。",
		]);
		const favoured = "它在芳蒂，再WiFi。";
		t.same(swappedTexts(found, listOf("芳蒂"), favoured), [
			"它在房地，再wifa。",
			"他在芳蒂，再wifa。",
			"他在房地，再WiFi。",
			"它在芳蒂，再wifa。",
			"他在芳蒂，再WiFi。",
			"它在芳蒂，再WiFi。",
		]);
	},
);

t.test("a hotword is a word, however rare", async (t) => {
	const found = candidatesOf("ta1 zai4 fang2 di4 chan3", ["他"]);
	const listed = new HotwordCandidates(found, listOf("芳蒂", "房地产"), []);
	const [name, known] = ["他在芳蒂", "他在房地产"].map((text) => ({
		before: found.candidate([...text]).segmentation,
		after: listed.candidate([...text]).segmentation,
	}));
	t.ok(name && name.after > name.before + 10);
	t.equal(known?.after, known?.before, "as likely as in the lexicon");
});

t.test("list entries become hotwords of the lattice", async (t) => {
	t.same(latticeHotword(" 銀行長 "), {
		text: "银行长",
		syllables: ["yin", "hang", "zhang"],
	});
	for (const entry of [
		"A股",
		"Coaster",
		"㐂犇",
		"一二三四五六七八九",
		"地",
		"",
	])
		t.equal(latticeHotword(entry), undefined, entry);
	const made = listOf("A股", "银行", "銀行", "𠮷野家");
	t.equal(made.size, 1, "once, without those that the lexicon can't read");
	t.equal(made.logpOf("银行"), lexicon.logpOf("银行"));
	t.equal(made.longestFrom("银"), 2);
});

t.test(
	"a long list is prepared in pieces, and little of it tried",
	async (t) => {
		const characters = [
			..."广州市房佛地产中介间协会分析发现是事他它她们在再努力撞击",
		];
		const { length } = characters;
		const entries = Array.from({ length: 20_000 }, (_, i) =>
			[i / length ** 2, i / length, i]
				.map((it) => characters[Math.floor(it) % length])
				.join(""),
		);
		const work = HotwordWords.of(entries.map(latticeHotword), lexicon);
		let pieces = 1;
		let step = work.next();
		for (; !step.done; step = work.next()) pieces++;
		t.ok(pieces > 400, `${pieces} pieces`);
		t.equal(step.value.size, new Set(entries).size);
		const found = candidatesOf(office, ["广州市佛地产中间协会分析"]);
		const tried = swappedTexts(found, step.value);
		t.ok(tried.length > 0 && tried.length <= 24, `${tried.length} tried`);
	},
);

t.test("a retroflex ending is no syllable of its own", async (t) => {
	const found = candidatesOf("hua1 le5", ["花儿了"]);
	t.same(
		found.candidates[0]?.wanted.map((it) => it.base),
		["hua", "le"],
	);
	t.ok(found.candidates[0]?.latticeScore, "it is a path of the lattice");
});

t.test("a retroflex ending makes no other syllable likelier", async (t) => {
	const scoreOf = (text: string, ...texts: readonly string[]) =>
		candidatesOf("hua1 zai4 shi4", texts).candidates.find(
			(it) => it.text === text,
		)?.latticeScore ?? 0;
	const own = "花朵在是";
	// both others have as many votes
	const beside = scoreOf(own, own, "花在是");
	t.ok(scoreOf(own, own, "花儿在是") < beside + 1e-6, `${beside}`);
	t.ok(scoreOf("花儿在是", own, "花儿在是") > beside);
});

t.test("nothing heard, nothing recognized, no syllables at all", async (t) => {
	const silent = new CandidateTexts(
		[],
		[{ text: "他在。", logp: -1 }],
		lexicon,
	);
	t.same(
		silent.candidates.map((it) => it.text),
		["他在。"],
	);
	t.same(silent.candidates[0]?.wanted, [
		{ base: "ta", tone: 1 },
		{ base: "zai", tone: 4 },
	]);
	t.equal(candidatesOf("ta1 zai4", [""]).candidates[0]?.text, "");
	t.equal(candidatesOf("ta1", ["，。"]).candidates[0]?.text, "，。");
	t.equal(candidatesOf("? ?", ["OK"]).candidates[0]?.text, "OK");
	const english = candidatesOf("ou1 kei4 ta1", ["OK, that's it."]);
	t.same(
		english.candidates.map((it) => it.text),
		["OK, that's it."],
	);
	t.same(english.candidates[0]?.wanted.length, 3);
});

t.test("probabilities that are no numbers do no harm", async (t) => {
	const strange = recognizedSyllables("ta1 zai4 yin2 hang2").map((it) => ({
		...it,
		initials: new Map([
			["t", Number.NaN],
			["z", Number.POSITIVE_INFINITY],
			["y", Number.NEGATIVE_INFINITY],
		]),
		finals: new Map([["ang", Number.NaN]]),
		tonedFinals: new Map([["ang2", Number.NaN]]),
	}));
	const alternatives = [{ text: "他在银行", logp: Number.NEGATIVE_INFINITY }];
	const { candidates } = new CandidateTexts(strange, alternatives, lexicon);
	t.equal(candidates[0]?.text, "他在银行");
	t.ok(candidates.every((it) => !Number.isNaN(it.latticeScore)));
});

t.test("a lattice that explodes is cut", async (t) => {
	// everything may be everything: every syllable is as likely as any other
	const initials = new Map<string, number>();
	const finals = new Map<string, number>();
	for (const it of lexicon.syllables) {
		const { initial, final } = soundOf(it);
		initials.set(initial, -3);
		finals.set(final, -3);
	}
	const syllables: RecognizedSyllable[] = Array.from(
		{ length: 250 },
		(_, i) => ({
			base: "shi",
			tone: 4,
			startSeconds: i * 0.12,
			endSeconds: i * 0.12 + 0.12,
			initials,
			finals,
			logp: 0,
			tonedFinals: new Map(),
		}),
	);
	const alternatives = Array.from({ length: 16 }, (_, i) => ({
		text: "是事在他她".repeat(40 + i),
		logp: -i,
	}));
	const found = new CandidateTexts(syllables, alternatives, lexicon);
	t.ok(found.latticeSteps > 10_000, `${found.latticeSteps} steps`);
	t.ok(found.latticeSteps <= 1.1 * latticeStepsMax);
	t.ok(found.candidates.length <= 44);
	const endless = new CandidateTexts(
		[...syllables, ...syllables],
		alternatives,
		lexicon,
	);
	t.equal(endless.latticeSteps, 0, "ten minutes in one segment: not searched");
	t.equal(endless.candidates.length, 16);
});

t.test("any text, any syllables", async (t) => {
	await holds(t, unchangedTextsStay(), 200);
	await holds(t, anyTextsAndSyllables(), 100);
});
