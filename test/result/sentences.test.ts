/** Where sentences of a transcript end (docs/transcripts.md, docs/decisions.md section 8). */

import t from "tap";
import type { Language } from "../../runtime/text/languages.js";
import { compose, optionsOf, utteranceOf } from "./utterances.js";

const zh: Language = "zh-cmn-Hans-CN";
const ja: Language = "ja-JP";
const en: Language = "en-US";

t.test("a segment is a sentence", async (t) => {
	const cases: [Language, string, string[]][] = [
		[zh, "今天开会。你来吗？来！", ["今天开会。", "你来吗？", "来！"]],
		[zh, "那个……我不知道。", ["那个……我不知道。"]],
		[ja, "はい。そうですね。", ["はい。", "そうですね。"]],
		[ja, "「本当？」と聞いた。はい。", ["「本当？」と聞いた。", "はい。"]],
		[ja, "「本当？！」と聞いた。はい。", ["「本当？！」と聞いた。", "はい。"]],
		[
			en,
			"Hello. It is 3.5 degrees. Go!",
			["Hello.", "It is 3.5 degrees.", "Go!"],
		],
		[
			en,
			"Mr. Jones met J. Smith at 5 p.m. today.",
			["Mr. Jones met J. Smith at 5 p.m. today."],
		],
		[en, '"Really?" he said. "Yes."', ['"Really?" he said.', '"Yes."']],
		[en, "no marks at all", ["no marks at all"]],
		[en, "No. I don't want it.", ["No.", "I don't want it."]],
		[en, "...And then? - Yes. - No.", ["...And then?", "- Yes.", "- No."]],
		[zh, "真的？！……走吧。", ["真的？！", "……走吧。"]],
		[zh, "走吧。好。……", ["走吧。", "好。……"]],
		[
			en,
			"Gov. Abbott called Sen. Warren at 8 p.m. Eastern. She left at 9 p.m. He waited.",
			[
				"Gov. Abbott called Sen. Warren at 8 p.m. Eastern.",
				"She left at 9 p.m.",
				"He waited.",
			],
		],
		[en, "It was cheap. $20 is fine.", ["It was cheap.", "$20 is fine."]],
		[
			en,
			"She lives at No. 5 Baker Street. See Fig. 3, pp. 7 and 8.",
			["She lives at No. 5 Baker Street.", "See Fig. 3, pp. 7 and 8."],
		],
		[
			en,
			"So do I. Bring bread, milk, etc. The A.I. Act is law.",
			["So do I.", "Bring bread, milk, etc.", "The A.I. Act is law."],
		],
		[
			zh,
			"真的吗？ok，那走吧！app也好。",
			["真的吗？", "ok，那走吧！", "app也好。"],
		],
	];
	for (const [language, text, sentences] of cases) {
		const { texts } = await compose(optionsOf(language), [
			[utteranceOf(text, language)],
		]);
		t.same(texts, sentences, text);
	}
});

t.test(
	"a segment that was full does not end a sentence, a silence does",
	async (t) => {
		const first = utteranceOf("we went to the", en);
		const second = (gapMs: number) =>
			utteranceOf("station. It was late.", en, first.endMs + gapMs);
		const seam = await compose(optionsOf(en), [[first, second(40)]]);
		t.same(seam.texts, ["we went to the station.", "It was late."]);
		const silence = await compose(optionsOf(en), [[first, second(900)]]);
		t.same(silence.texts, ["we went to the", "station.", "It was late."]);
	},
);
