/** Hotwords in real speech: what they find, what they leave unchanged, and meaningless lists. */

import { join } from "node:path";
import t from "tap";
import type { SegmentRequest } from "../../runtime/models/recognizer.js";
import type { Language } from "../../runtime/text/languages.js";
import {
	missing,
	modelDirectory,
	openRecognizer,
	readWav,
	sharedAudio,
	transcribe,
} from "./packages.js";

const carried = "test/clips";
const noModel = missing(modelDirectory);
const noClips = noModel || missing(sharedAudio);

const request = (
	path: string,
	language: Language,
	entries: readonly string[],
	changed: Partial<SegmentRequest> = {},
): SegmentRequest => ({
	samples: readWav(path),
	language,
	beam: 5,
	punctuation: false,
	words: false,
	...(entries.length > 0 && {
		hotwords: { list: { key: entries.join(), entries }, weight: 0.4 },
	}),
	...changed,
});

t.test(
	"a hotword is found that was missed without the list",
	{ skip: noClips },
	async (t) => {
		const recognizer = await openRecognizer(modelDirectory);
		const cases: [string, Language, string[], string][] = [
			["zh-firered-1", "zh-cmn-Hans-CN", ["停滞"], "停滞"],
			// by their sound alone: the search does not reach them
			["zh-fleurs-010", "zh-cmn-Hans-CN", ["豹猫", "豹子"], "豹猫"],
			["en-fleurs-3", "en-US", ["wrestlers", "Luna"], "wrestlers"],
			[
				"ja-commonvoice-38843402",
				"ja-JP",
				["小悪魔,コアクマ,一般名詞"],
				"小悪魔",
			],
		];
		for (const [name, language, entries, wanted] of cases) {
			const path = join(sharedAudio, `${name}.wav`);
			const without = await transcribe(recognizer, request(path, language, []));
			t.notOk(without.text.includes(wanted), `${name}: ${without.text}`);
			const { text, tokens } = await transcribe(
				recognizer,
				request(path, language, entries),
			);
			t.ok(text.includes(wanted), `${name}: ${text}`);
			const prefixTokens = tokens.slice(0, Math.floor(tokens.length / 2));
			const again = await transcribe(
				recognizer,
				request(path, language, entries, { prefixTokens }),
			);
			t.ok(again.text.includes(wanted), "also from a settled beginning on");
			// by the sound alone, words around it may be others on some processors
			if (name !== "zh-fleurs-010") t.equal(again.text, text);
		}
		const few = cases.filter(([name]) => !name.startsWith("zh-fleurs"));
		const requests = few.flatMap(([name, language, entries]) =>
			[[], entries].map((some) =>
				request(join(sharedAudio, `${name}.wav`), language, some),
			),
		);
		const together = await recognizer.recognizeAll?.(requests);
		few.forEach(([name, , , wanted], i) => {
			const [without, withWord] = together?.slice(2 * i, 2 * i + 2) ?? [];
			if (typeof without !== "object" || typeof withWord !== "object")
				throw new Error(`${name} was not heard`);
			t.notOk(without.text.includes(wanted), "others' hotwords are others'");
			t.ok(withWord.text.includes(wanted), `in a batch: ${withWord.text}`);
		});
		await recognizer.close();
	},
);

t.test(
	"hotwords that were not spoken, and meaningless lists, change nothing",
	{ skip: noModel },
	async (t) => {
		const recognizer = await openRecognizer(modelDirectory);
		const lists: Record<string, string[]> = {
			"other names": ["Raoul", "Buckingham", "SWAPO", "Las Cañitas", "Sintra"],
			"single marks": ["。", "!", "-", "'", "…"],
			"one letter each": [..."abcdefghijklmnopqrstuvwxyz"],
			"emoji and controls": ["🙂", "👨‍👩‍👧", "\u0000", "\u202e", "e\u0301"],
			"thirty characters": ["名".repeat(30), "w".repeat(30), "な".repeat(30)],
			"each other's beginnings": [
				"名",
				"名前",
				"名前の",
				"名前のな",
				"na",
				"nam",
			],
			prototypes: ["__proto__", "constructor", "toString"],
			"astral plane": ["𠮷野家", "𩸽"],
			"no word at all": ["", ",", ",,"],
		};
		const clips: [string, Language][] = [
			["en-librivox-0930", "en-US"],
			["ja-kokoro-station", "ja-JP"],
		];
		for (const [name, language] of clips) {
			const path = join(carried, `${name}.wav`);
			const plain = await transcribe(recognizer, request(path, language, []));
			// every other one in each language
			const other = language === "en-US" ? 0 : 1;
			for (const [what, entries] of Object.entries(lists).filter(
				(_, i) => i % 2 === other,
			)) {
				const biased = await transcribe(
					recognizer,
					request(path, language, entries),
				);
				t.same(biased, plain, `${what}: ${biased.text}`);
			}
		}
		await recognizer.close();
	},
);

t.test(
	"noise gives no text, with any hotwords",
	{ skip: noModel },
	async (t) => {
		const recognizer = await openRecognizer(modelDirectory);
		const entries = ["北京图书馆", "Thank you", "謝謝觀看", "字幕", "you"];
		const hotwords = { list: { key: "noise", entries }, weight: 1 };
		for (const language of ["zh-cmn-Hans-CN", "ja-JP", "en-US"] as const) {
			const { text } = await transcribe(recognizer, {
				samples: Float32Array.from(
					{ length: 48_000 },
					(_, n) => 0.2 * Math.sin((2 * Math.PI * 50 * n) / 16_000),
				),
				language,
				beam: 5,
				punctuation: true,
				words: false,
				hotwords,
			});
			t.equal(text, "", language);
		}
		await recognizer.close();
	},
);
