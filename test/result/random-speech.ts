/** Random things that an engine may have recognized, in every language, with odd marks, long words, wrong times and none. */

import type { FileUtterance } from "../../runtime/tasks/result/parts.js";
import type { Language } from "../../runtime/text/languages.js";
import { below, pick, type Random } from "../fuzz/random.js";
import { utteranceOf } from "./utterances.js";

export const languages: readonly Language[] = [
	"zh-cmn-Hans-CN",
	"ja-JP",
	"en-US",
	"zh-cmn-Hans-CN-en-US",
	"ja-JP-en-US",
];

const vocabulary: Readonly<Record<"zh" | "ja" | "en", readonly string[]>> = {
	zh: [
		"今天",
		"我们",
		"的",
		"人工智能",
		"了",
		"但是",
		"市场",
		"3.5",
		"2026年",
		"在",
		"北京",
		"嗯",
		"做出决定",
		"竞争激烈",
		"一个",
		"𠮷野家",
	],
	ja: [
		"昨日",
		"は",
		"東京駅",
		"で",
		"友達",
		"に",
		"会って",
		"食べました",
		"という",
		"レストラン",
		"10〜20",
		"が",
		"あの",
		"そして",
		"ﾃｽﾄ",
		"です",
	],
	en: [
		"the",
		"results",
		"of",
		"don't",
		"Mr",
		"3.5",
		"investigation",
		"a",
		"and",
		"Smith",
		"p.m.",
		"well-known",
		"I",
		"we",
		"supercalifragilisticexpialidociousnessesandmore",
		"e.g.",
	],
};
const marks = [
	"，",
	"。",
	"？",
	"！",
	",",
	".",
	"?",
	"…",
	"「",
	"」",
	"“",
	"”",
	"、",
	"-",
	"--",
	"(",
	")",
	"!!!",
	"：",
	"*",
	"<b>",
	"&",
];

export function randomUtterances(
	random: Random,
	language: Language,
	count: number,
): FileUtterance[] {
	const utterances: FileUtterance[] = [];
	let atMs = 0;
	for (let i = 0; i < count; i++) {
		if (random() < 0.6) atMs += below(random, 3000);
		const speed = 20 + below(random, 400);
		const text = randomText(random, language, 1 + below(random, 60));
		const utterance = utteranceOf(text, language, atMs, speed);
		atMs = utterance.endMs;
		utterances.push(disturbed(random, { ...utterance, index: i + 1 }));
	}
	return utterances;
}

export function randomText(
	random: Random,
	language: Language,
	pieces: number,
): string {
	const own = language.slice(0, 2) as "zh" | "ja" | "en";
	let text = "";
	for (let i = 0; i < pieces; i++) {
		const mixes = language.endsWith("-en-US") && language !== "en-US";
		const words = vocabulary[mixes && random() < 0.3 ? "en" : own];
		const isLatin = words === vocabulary.en;
		if (text !== "" && (isLatin || random() < 0.1)) text += " ";
		text += pick(random, words);
		if (random() < 0.25) text += pick(random, marks);
	}
	return text;
}

/** Times that overlap, words without a length, no words at all, or some missing. */
function disturbed(random: Random, utterance: FileUtterance): FileUtterance {
	const kind = random();
	if (kind < 0.1) return { ...utterance, words: [] };
	if (kind < 0.15)
		return {
			...utterance,
			words: utterance.words.filter(() => random() < 0.8),
		};
	if (kind < 0.3) {
		const words = utterance.words.map((word) => {
			const shiftMs = Math.floor((random() - 0.5) * 2000);
			const startMs = Math.max(0, word.startMs + shiftMs);
			return { ...word, startMs, endMs: startMs + below(random, 9000) };
		});
		return { ...utterance, words };
	}
	if (kind < 0.35) return { ...utterance, text: "", words: [], skipped: true };
	return utterance;
}
