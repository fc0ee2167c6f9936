import t from "tap";
import {
	languageOptions,
	languageRules,
	wantedLanguage,
} from "../../runtime/session/wanted-language.js";
import { languages } from "../../runtime/text/languages.js";

t.test("tags and names of languages are read in any case", (t) => {
	const chinese = "zh zh-CN zh-Hans zh-hans-cn ZH_CN zh-TW cmn cmn-Hans-CN";
	for (const tag of [...chinese.split(" "), "Chinese", "zh-cmn-Hans-CN"])
		t.equal(wantedLanguage(tag), "zh-cmn-Hans-CN", tag);
	for (const tag of ["en", "EN-gb", "en-US", "english", " en "])
		t.equal(wantedLanguage(tag), "en-US", tag);
	for (const tag of ["ja", "ja-JP", "ja-Latn", "Japanese", "jpn"])
		t.equal(wantedLanguage(tag), "ja-JP", tag);
	t.equal(wantedLanguage("ja-en"), "ja-JP-en-US", "our own names come first");
	t.equal(wantedLanguage("zhen"), "zh-cmn-Hans-CN-en-US");
	t.equal(wantedLanguage("AUTO"), "auto");
	for (const tag of ["de", "", "constructor", "yue", "x-en"])
		t.equal(wantedLanguage(tag), undefined, tag);
	const long = `en${"-a".repeat(100)}`;
	t.equal(wantedLanguage(long), undefined, "no tag is that long");
	const mixtures = "zh-CN-en-US zh_en_US zh-Hans-CN-en ja-JP-en ja-en-US";
	for (const tag of [...mixtures.split(" "), "en-zh", "en-US-ja", "zh-ja"])
		t.equal(wantedLanguage(tag), undefined, `${tag} is not one language`);
	t.equal(wantedLanguage("ZH_cmn-Hans-CN_en-US"), "zh-cmn-Hans-CN-en-US");
	t.end();
});

t.test("auto is a choice between the installed languages", (t) => {
	const plain = languageRules("", []);
	const choices = ["ja-JP", "en-US", "zh-cmn-Hans-CN"];
	const auto = { language: "ja-JP", languageChoices: choices };
	t.same(languageOptions(undefined, languages, plain), auto);
	t.same(languageOptions("auto", languages, plain), auto);
	t.same(languageOptions("en-GB", languages, plain), { language: "en-US" });
	t.same(
		languageOptions("auto", ["en-US"], plain),
		{ language: "en-US" },
		"there is nothing to choose",
	);
	const rules = languageRules("zh", ["zh=zh-en", "x=y", "ja"]);
	t.same(languageOptions("auto", languages, rules), {
		language: "zh-cmn-Hans-CN-en-US",
		languageChoices: ["ja-JP", "en-US", "zh-cmn-Hans-CN-en-US"],
	});
	t.same(languageOptions("cmn", languages, rules), {
		language: "zh-cmn-Hans-CN-en-US",
	});
	t.same(
		languageOptions("zh", ["zh-cmn-Hans-CN"], rules),
		{ language: "zh-cmn-Hans-CN" },
		"as long as the other is not installed",
	);
	for (const [tag, installed] of [
		["de", languages],
		["ja", ["en-US"]],
	] as const)
		t.throws(() => languageOptions(tag, installed, plain), {
			message: /^language must be auto or one of/,
		});
	t.end();
});
