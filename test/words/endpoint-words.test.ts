/** Lists of `endpoints.*`, for clients whose protocol can't name any. */
import t from "tap";
import type { ListNames } from "../../runtime/session/options.js";
import type { Language } from "../../runtime/text/languages.js";
import { EndpointWords } from "../../runtime/word-lists/endpoint-words.js";
import type { ReferredWords } from "../../runtime/word-lists/references.js";
import { listeningLog } from "../engine/fake-lane.js";
import { vocabularies } from "./vocabularies.js";

/** Lists that a configuration names. */
function configured(names: ListNames) {
	const { words: stored, usage, write, remove } = vocabularies();
	const warnings: string[] = [];
	const log = listeningLog(({ message }) => warnings.push(message));
	let inForce = names;
	const words = new EndpointWords({ stored, log, names: () => inForce });
	const reload = (changed: ListNames) => {
		inForce = changed;
	};
	const resolve = (
		given: object = {},
		language: Language = "en-US",
		choices?: readonly Language[],
	) => {
		const references = { hotwordsWeight: 0.4, ...given };
		return entriesOf(words.resolve(references, language, choices));
	};
	return { words, resolve, reload, usage, write, remove, warnings };
}

function entriesOf({ hotwords, corrections, forbidden }: ReferredWords) {
	return {
		hotwords: hotwords?.list.entries,
		corrections: corrections?.map(({ entries }) => entries.join(";")),
		forbidden: forbidden?.map(({ entries }) => entries.join(";")),
	};
}

const nothing = {
	hotwords: undefined,
	corrections: undefined,
	forbidden: undefined,
};

t.test("a recognition has the lists of its language", async (t) => {
	const { resolve, write, warnings } = configured({
		hotwordsId: "zh-names|names",
		correctionWordsId: "zh-spelling|spelling",
		forbiddenWordsId: "all",
	});
	const chinese = "zh-cmn-Hans-CN";
	write("names", ["Dashwood"], { kind: "hotwords" });
	write("zh-names", ["豹猫"], { kind: "hotwords", language: chinese });
	write("spelling", ["air shot,earshot"]);
	write("zh-spelling", ["爆猫,豹猫"], { language: chinese });
	write("rude", ["darn"], { kind: "forbidden-words" });
	t.same(resolve(), {
		hotwords: ["Dashwood"],
		corrections: ["air shot,earshot"],
		forbidden: ["darn"],
	});
	t.same(resolve({}, chinese), {
		hotwords: ["豹猫"],
		corrections: ["爆猫,豹猫"],
		forbidden: undefined,
	});
	t.same(resolve({}, "ja-JP"), nothing);
	t.same(warnings, []);
});

t.test(
	"where the language is yet to be identified, of each that it may be",
	async (t) => {
		const { words, resolve, write, warnings } = configured({
			hotwordsId: "zh-names|names",
			correctionWordsId: "zh-spelling|spelling",
			forbiddenWordsId: "all",
		});
		const chinese = "zh-cmn-Hans-CN";
		write("names", ["Dashwood"], { kind: "hotwords" });
		write("zh-names", ["豹猫"], { kind: "hotwords", language: chinese });
		write("spelling", ["air shot,earshot"]);
		write("zh-spelling", ["爆猫,豹猫"], { language: chinese });
		write("rude", ["darn"], { kind: "forbidden-words" });
		t.same(resolve({}, "ja-JP", ["ja-JP", "en-US", chinese]), {
			hotwords: ["Dashwood"],
			corrections: ["air shot,earshot", "爆猫,豹猫"],
			forbidden: ["darn"],
		});
		const choices = ["ja-JP", "en-US", chinese] as const;
		t.match(resolve({}, chinese, choices), { hotwords: ["豹猫"] });
		t.same(
			words.withDefaults({ hotwordsWeight: 0.4 }, chinese, choices),
			{
				hotwordsWeight: 0.4,
				hotwordsId: "zh-names",
				correctionWordsId: "zh-spelling|spelling",
				forbiddenWordsId: "rude",
			},
			"the names of the same for what is recognized later",
		);
		t.notOk(
			words.withDefaults({ hotwordsWeight: 0.4 }, "ja-JP", choices).hotwordsId,
			"its language is known, and there are no hotwords of it",
		);
		t.same(warnings, []);
	},
);

t.test("what a request names itself takes their place", async (t) => {
	const { resolve, write } = configured({
		hotwordsId: "names",
		correctionWordsId: "spelling",
		forbiddenWordsId: "rude",
	});
	write("names", ["Dashwood"], { kind: "hotwords" });
	write("others", ["Ferrars"], { kind: "hotwords" });
	write("spelling", ["air shot,earshot"]);
	write("empty", []);
	write("rude", ["darn"], { kind: "forbidden-words" });
	const rest = { corrections: ["air shot,earshot"], forbidden: ["darn"] };
	t.same(
		resolve({ hotwordsList: ["Steele"] }),
		{ hotwords: ["Steele"], ...rest },
		"its own words; corrections and forbidden words all the same",
	);
	t.same(resolve({ hotwordsId: "others" }), {
		hotwords: ["Ferrars"],
		...rest,
	});
	t.match(
		resolve({ hotwordsList: [] }),
		{ hotwords: ["Dashwood"] },
		"an empty list names nothing",
	);
	t.match(
		resolve({ correctionWordsId: "empty" }),
		{ corrections: [""] },
		"a vocabulary without entries is not replaced",
	);
	t.throws(
		() => resolve({ correctionWordsId: "unknown" }),
		/unknown does not exist/,
		"its own mistakes are the client's to know",
	);
});

t.test("a missing list is logged once, and left out", async (t) => {
	const { resolve, write, remove, warnings } = configured({
		hotwordsId: "names",
		correctionWordsId: "spelling|others",
	});
	write("spelling", ["air shot,earshot"]);
	write("others", ["to do,TO DO"]);
	t.match(resolve(), { corrections: ["air shot,earshot", "to do,TO DO"] });
	remove("spelling");
	const left = { ...nothing, corrections: ["to do,TO DO"] };
	t.same(resolve(), left);
	t.same(resolve(), left);
	t.same(warnings, [
		"endpoints.hotwords_id: hotword database names does not exist",
		"endpoints.correction_words_id: correction vocabulary spelling does not exist",
	]);
});

t.test("lists that grow too large refuse nobody", async (t) => {
	const { resolve, write, warnings } = configured({ correctionWordsId: "all" });
	const many = Array.from({ length: 20_000 }, (_, it) => `w${it},r`);
	for (const id of ["c1", "c2", "c3", "c4", "c5", "c6"]) write(id, many);
	t.equal(resolve().corrections?.length, 5, "those that fit");
	t.match(warnings, [/^endpoints\.correction_words_id: 1 of 6 lists not used/]);
});

t.test("of two hotword databases of a language the first counts", async (t) => {
	const { resolve, write, warnings } = configured({
		hotwordsId: "names|others",
	});
	write("names", ["Dashwood"], { kind: "hotwords" });
	write("others", ["Ferrars"], { kind: "hotwords" });
	t.match(resolve(), { hotwords: ["Dashwood"] });
	t.match(warnings, [/only the first database of en-US is used/]);
});

t.test("a reload counts with the next recognition", async (t) => {
	const { resolve, reload, write } = configured({});
	write("spelling", ["air shot,earshot"]);
	t.same(resolve(), nothing);
	reload({ correctionWordsId: "spelling" });
	t.match(resolve(), { corrections: ["air shot,earshot"] });
});

t.test("a list that is used can't be deleted", async (t) => {
	const { words, usage, write } = configured({ correctionWordsId: "spelling" });
	write("spelling", ["air shot,earshot"]);
	const given = { hotwordsWeight: 0.4 };
	const ref = { kind: "correction-words", id: "spelling" } as const;
	for (const hold of [
		() => words.hold(words.resolve(given, "en-US")),
		() => words.holdNamed(given, "en-US", "task"),
	]) {
		const release = hold();
		t.ok(usage.isUsed(ref));
		release();
		t.notOk(usage.isUsed(ref));
	}
});
