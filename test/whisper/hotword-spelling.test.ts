import t from "tap";
import { atOnce } from "../../runtime/event-loop/piecewise.js";
import { HotwordSpelling } from "../../runtime/models/whisper/hotword-spelling.js";
import type { PromptLanguage } from "../../runtime/models/whisper/punctuator.js";
import { WhisperTokenizer } from "../../runtime/models/whisper/tokenizer.js";
import { missing, modelDirectory, readRanks } from "./packages.js";

t.test(
	"hotwords get the spelling of the list",
	{ skip: missing(modelDirectory) },
	async (t) => {
		const tokenizer = new WhisperTokenizer(readRanks(modelDirectory));
		const spelled = (
			text: string,
			entries: readonly string[],
			language: PromptLanguage = "en",
			settled = 0,
		) => {
			const tokens = tokenizer.encode(text);
			const logp = [...tokens.map((_, i) => -i / 8), -0.5];
			const found = { tokens, logp, score: 0, why: "end", steps: 1 } as const;
			const written = atOnce(
				HotwordSpelling.reading(entries, language),
			).respell(found, settled, tokenizer);
			t.equal(written.logp.length, written.tokens.length + 1, text);
			t.equal(written.logp.at(-1), -0.5, "the end's stays the last");
			return tokenizer.decode(written.tokens);
		};
		const names = ["LLMs", "New York", "iPhone", "C++", "WiFi", "employ"];
		for (const [given, wanted] of [
			[" Cutting edge llms employ", " Cutting edge LLMs employ"],
			[" LLM's are, LLMS.", " LLMs are, LLMs."],
			[" in new york, NEW-YORK", " in New York, New York"],
			[" an I phone and an IPHONE", " an iPhone and an iPhone"],
			[" written in c++ or c", " written in C++ or c"],
			[" Employ it", " Employ it"],
			[" llmsx and new yorker", " llmsx and new yorker"],
			["", ""],
		] as const)
			t.equal(spelled(given, names), wanted);
		const lettersOfOthers = ["ID", "IAM", "ISA", "Ina", "IT", "US", "USA"];
		const more = ["Theresa", "Shell", "Wont", "Cant", "ITs", "The Who"];
		const unrelated = [...lettersOfOthers, ...more];
		for (const text of [
			" I'd say I am in a hurry; it is a bug, and there's a way.",
			" Let us go, give us a lift. It's ours, and its end is near.",
			" She'll see, she won’t and can't. Is the who a question?",
		])
			t.equal(spelled(text, unrelated), text);
		for (const [given, wanted] of [
			[" her id, the usa and theresa", " her ID, the USA and Theresa"],
			[" the Theresa's and a shell", " the Theresa's and a Shell"],
			[" it-department, isa", " IT-Department, ISA"],
		] as const)
			t.equal(spelled(given, [...unrelated, "IT-Department"]), wanted);
		t.equal(spelled("我们去us公司", unrelated, "zh"), "我们去us公司");
		t.equal(spelled("制作了一个wifi门铃", names, "zh"), "制作了一个WiFi门铃");
		t.equal(spelled(" llms and llms", ["LLMs"], "en", 3), " llms and LLMs");
		const japanese = ["お化け,オバケ,一般名詞", "家具,カグ,一般名詞"];
		t.equal(
			spelled("やっぱりおばけは、かぐやオバケ", japanese, "ja"),
			"やっぱりお化けは、かぐやお化け",
		);
		t.equal(spelled("おばけ", japanese, "en"), "おばけ");
		t.equal(spelled("LLMs", ["__proto__", "constructor"]), "LLMs");
	},
);
