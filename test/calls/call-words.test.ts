/** The word lists of a call's leg, which is recognized anew after each silence. */
import t from "tap";
import {
	readCallOptions,
	wantedCall,
} from "../../runtime/api/calls/call-options.js";
import { plainRules } from "../../runtime/session/wanted-language.js";
import { vocabularies } from "../words/vocabularies.js";

/** A leg that names a vocabulary, or all. */
function begun(named: string) {
	const { words, write, remove } = vocabularies();
	write("c1", ["one,right"]);
	const given = new Map([
		["lang_type", "en-US"],
		["correction_words_id", named],
	]);
	const begin = () =>
		wantedCall(readCallOptions(given), false, {
			languages: ["en-US"],
			languageRules: () => plainRules,
			wordLists: words,
		});
	const { recognition } = begin();
	const amounts = () =>
		recognition().corrections?.map((it) => it.entries.length);
	return { begin, amounts, write, remove };
}

t.test("a leg goes on when its lists have grown in a silence", async (t) => {
	const { begin, amounts, write } = begun("all");
	t.same(amounts(), [1]);
	write("c1", ["one,right", "two,right"]);
	t.same(amounts(), [2], "changes count");
	const many = Array.from({ length: 20_000 }, (_, it) => `w${it},r`);
	for (const id of ["c2", "c3", "c4", "c5", "c6"]) write(id, many);
	t.throws(begin, /at most 100000 entries/, "no call may begin with them");
	t.same(amounts(), [2, 20_000, 20_000, 20_000, 20_000], "those that fit");
});

t.test("a leg goes on when its list is deleted in a silence", async (t) => {
	const { begin, amounts, remove } = begun("c1");
	remove("c1");
	t.throws(begin, /c1 does not exist/);
	t.same(amounts(), [1], "with what it had");
});
