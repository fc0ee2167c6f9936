/** Which hotwords are put into a text: with invented scores. */
import t from "tap";
import type { HotwordFindings } from "../../runtime/models/refinement.js";
import { HotwordChoice } from "../../runtime/models/second-ear/hotword-choice.js";
import { CandidateTexts } from "../../runtime/search/lattice/candidates.js";
import { jointWeights } from "../../runtime/search/lattice/joint-score.js";
import type { WantedSyllable } from "../../runtime/search/lattice/syllables.js";
import {
	recognizedSyllables,
	toyLexicon,
} from "../search/lattice/toy-evidence.js";

const lexicon = toyLexicon();

interface Case {
	readonly spoken: string;
	readonly own: string;
	readonly entries: readonly string[];
	/** By text: log-probability for the recognizer; -10 for others. */
	readonly logps?: Readonly<Record<string, number>>;
	readonly favoured?: readonly string[];
	/** Nats of a character. */
	readonly worth?: number;
}

async function chosen(it: Case): Promise<string | undefined> {
	const syllables = recognizedSyllables(it.spoken);
	const texts = new CandidateTexts(
		syllables,
		[{ text: it.own, logp: -5 }],
		lexicon,
	);
	const missing = (wanted: readonly WantedSyllable[]) =>
		wanted.filter(({ base }, i) => base !== syllables[i]?.base).length +
		Math.abs(wanted.length - syllables.length);
	const found: HotwordFindings = {
		texts: it.favoured ?? [],
		bonusOf: (text) =>
			it.entries
				.filter((entry) => text.toLowerCase().includes(entry.toLowerCase()))
				.reduce((sum, { length }) => sum + length * (it.worth ?? 3), 0),
		scorer: {
			score: async (requested) =>
				requested.map((text) => ({
					logp: it.logps?.[text] ?? -10,
					endLogp: 0,
					internalLogp: -20,
				})),
		},
	};
	const list = { key: it.entries.join(), entries: it.entries };
	const { text } = await new HotwordChoice(lexicon).choose(
		{ list, weight: 0.4 },
		found,
		{
			texts,
			units: texts.candidates[0]?.units ?? [],
			evidence: {
				syllables,
				score: async (all) => all.map((wanted) => -4 * missing(wanted)),
			},
			weights: jointWeights,
		},
	);
	return text;
}

const housing = { spoken: "ta1 zai4 fang2 di4", own: "他在房地。" };

t.test(
	"a hotword is put in where it is said, unless another word is clearly likelier",
	async (t) => {
		const entries = ["芳蒂"];
		t.equal(await chosen({ ...housing, entries }), "他在芳蒂。");
		t.equal(
			await chosen({ ...housing, entries: ["銀行", "芳蒂"] }),
			"他在芳蒂。",
		);
		const logps = { "他在芳蒂。": -60 };
		t.equal(await chosen({ ...housing, entries, logps }), undefined);
		t.equal(await chosen({ ...housing, entries: ["银行"] }), undefined);
		t.equal(
			await chosen({ ...housing, entries: ["芳蒂"], worth: 0 }),
			undefined,
		);
	},
);

t.test("a name is found however its characters are read", async (t) => {
	const name = { own: "他找增小明", entries: ["曾小明"] };
	const heard = (surname: string) =>
		chosen({ ...name, spoken: `ta1 zhao3 ${surname} xiao3 ming2` });
	t.equal(await heard("zeng1"), "他找曾小明");
	t.equal(await heard("ceng2"), "他找曾小明");
	const known = { own: "他找扎良庸", entries: ["查良镛"] };
	const inLexicon = (surname: string) =>
		chosen({ ...known, spoken: `ta1 zhao3 ${surname} liang2 yong1` });
	t.equal(await inLexicon("zha1"), "他找查良镛");
	t.equal(await inLexicon("cha2"), "他找查良镛");
	const paid = { own: "他缓款", entries: ["还款"] };
	t.equal(await chosen({ ...paid, spoken: "ta1 huan2 kuan3" }), "他还款");
});

t.test("a word of the lexicon is found as it is read", async (t) => {
	const ginkgo = { spoken: "ta1 zai4 yin2 xing4", own: "他在银杏" };
	t.equal(await chosen({ ...ginkgo, entries: ["银行"] }), undefined);
	t.equal(await chosen({ ...ginkgo, entries: ["新银行"] }), undefined);
});

t.test("a longer list needs more", async (t) => {
	const doubts = Array.from({ length: 16 }, (_, i) => 2 * i);
	const acceptedOf = async (entries: readonly string[]) => {
		const texts = await Promise.all(
			doubts.map((doubt) =>
				chosen({ ...housing, entries, logps: { "他在芳蒂。": -10 - doubt } }),
			),
		);
		return texts.filter((it) => it !== undefined).length;
	};
	const short = await acceptedOf(["芳蒂"]);
	const long = await acceptedOf(["芳蒂", ...Array(12_000).fill("")]);
	t.ok(long > 0 && short >= long + 2, `${short}, ${long}`);
});

t.test("several hotwords are put in together", async (t) => {
	const text = await chosen({
		spoken: "fang2 di4 zai4 zhuang4 ji1",
		own: "房地在庄稼",
		entries: ["芳蒂", "撞击"],
	});
	t.equal(text, "芳蒂在撞击");
});

t.test(
	"what only the recognizer's search can find is put in as it is spelled there",
	async (t) => {
		const spoken = "ta1 you3 ping2 guo3 xx1";
		const own = "他有苹果wifa";
		const favoured = ["他有苹果WiFi"];
		t.equal(
			await chosen({ spoken, own, entries: ["WIFI"], favoured }),
			favoured[0],
		);
		t.equal(await chosen({ spoken, own, entries: ["WIFI"] }), undefined);
		const one = { spoken: "ta1 zai4", own: "他在", entries: ["再"] };
		t.equal(await chosen(one), undefined, "one character has many homophones");
		t.equal(await chosen({ ...one, favoured: ["他再"] }), "他再");
		const rare = { spoken: "ta1 zai4 ben1", own: "他㐂本", entries: ["㐂犇"] };
		t.equal(await chosen({ ...rare, favoured: ["他㐂犇"] }), "他㐂犇");
		t.equal(await chosen(rare), undefined);
	},
);

t.test("nothing to choose from", async (t) => {
	t.equal(
		await chosen({ spoken: "ta1", own: "", entries: ["芳蒂"] }),
		undefined,
	);
	t.equal(await chosen({ ...housing, entries: [] }), undefined);
	const found = await new HotwordChoice(lexicon).choose(undefined, undefined, {
		texts: new CandidateTexts([], [], lexicon),
		units: [],
		evidence: { syllables: [], score: async () => [] },
		weights: jointWeights,
	});
	t.same(found, { tried: [] });
});
