/** The language in which the transcript of a call is composed. */
import t from "tap";
import { atOnce } from "../../runtime/event-loop/piecewise.js";
import { transcriptLanguage } from "../../runtime/tasks/transcript-language.js";
import type { Language } from "../../runtime/text/languages.js";

const english = "en-US";
const japanese = "ja-JP";
const chinese = "zh-cmn-Hans-CN";

/** @param identified of utterances of as many seconds as their place in the list; undefined: not identified. */
function languageOf(
	requested: Language,
	...identified: readonly (Language | undefined)[]
): Language {
	const utterances = identified.map((spokenIn, i) => ({
		index: i + 1,
		text: "any",
		confidence: 1,
		words: [],
		beginMs: 0,
		endMs: 1000 * (i + 1),
		...(spokenIn && { spokenIn }),
	}));
	return atOnce(transcriptLanguage(requested, utterances));
}

t.test("nothing was identified: the requested one", async (t) => {
	t.equal(languageOf(japanese), japanese);
	t.equal(languageOf(english, undefined, undefined), english);
});

t.test("one language in all utterances", async (t) => {
	t.equal(languageOf(english, japanese, japanese), japanese);
});

t.test("a mixture was requested: it stays one", async (t) => {
	const mixed = "zh-cmn-Hans-CN-en-US";
	t.equal(languageOf(mixed, chinese, chinese), mixed);
	t.equal(languageOf(mixed, undefined, english), mixed);
});

t.test("English and another one: their mixture", async (t) => {
	t.equal(languageOf(english, english, chinese), "zh-cmn-Hans-CN-en-US");
	t.equal(languageOf(english, undefined, japanese), "ja-JP-en-US");
	const mixed = "ja-JP-en-US";
	t.equal(languageOf(english, english, mixed), mixed);
});

t.test("others have no mixture: the one of most of the time", async (t) => {
	t.equal(languageOf(english, chinese, japanese), japanese);
	t.equal(languageOf(english, chinese, english, japanese), japanese);
	t.equal(languageOf(english, chinese, japanese, chinese), chinese);
});
