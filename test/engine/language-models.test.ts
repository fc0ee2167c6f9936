/** One recognizer for each language: which one recognizes what, and what happens when one fails or memory is short. */
import t from "tap";
import { LanguageModels } from "../../runtime/engine/child/language-models.js";
import type { LanguageModelSource } from "../../runtime/engine/child/model-slots.js";
import { refuseUnsupported } from "../../runtime/engine/child/refusals.js";
import type {
	SegmentRequest,
	SpeechRecognizer,
} from "../../runtime/models/recognizer.js";
import { whisperCapabilities } from "../../runtime/models/whisper/recognizer.js";
import type { Language } from "../../runtime/text/languages.js";
import { madeHypothesis } from "../session/made-utterances.js";

const zh = "zh-cmn-Hans-CN";
const ja = "ja-JP";
const en = "en-US";
const mixed = "ja-JP-en-US";
const zhEn = "zh-cmn-Hans-CN-en-US";

/** Says its name. */
function recognizer(
	name: string,
	languages: readonly Language[],
	more: Partial<SpeechRecognizer> = {},
): SpeechRecognizer {
	return {
		name,
		languages,
		capabilities: whisperCapabilities,
		recognize: async () => madeHypothesis(name),
		close: async () => {},
		...more,
	};
}

const request = (language: Language): SegmentRequest => ({
	samples: new Float32Array(16000),
	language,
	beam: 1,
	punctuation: false,
	words: false,
});

/** A device whose memory holds `megabytes` of models beside the main one. */
function device(megabytes: number) {
	const open = new Set<string>();
	const log: string[] = [];
	const source = (
		name: string,
		languages: readonly Language[],
		more: Partial<SpeechRecognizer> = {},
	): LanguageModelSource => ({
		name,
		languages,
		bytes: 100,
		open: async () => {
			log.push(`open ${name}`);
			open.add(name);
			return {
				recognizer: recognizer(name, languages, more),
				close: async () => {
					log.push(`close ${name}`);
					open.delete(name);
				},
			};
		},
	});
	const hasRoom = (bytes: number) => open.size * 100 + bytes <= megabytes;
	return { log, source, hasRoom };
}

const main = recognizer("main", [zh, en, mixed]);

async function textOf(models: LanguageModels, language: Language) {
	const result = await models.recognize(request(language));
	return result === "cancelled" ? result : result.text;
}

t.test(
	"each language has its model, the main one has the others",
	async (t) => {
		const { source, hasRoom } = device(200);
		const noHotwords = { ...whisperCapabilities, hotwords: false };
		const models = await LanguageModels.open(
			main,
			[source("zh", [zh]), source("ja", [ja], { capabilities: noHotwords })],
			hasRoom,
		);
		t.same(models.languages, [ja, en, zh, mixed, zhEn]);
		const texts = [zh, ja, en, mixed] as const;
		t.same(await Promise.all(texts.map((it) => textOf(models, it))), [
			"zh",
			"ja",
			"main",
			"main",
		]);
		const hotwords = { list: { key: "", entries: [] }, weight: 0.4 } as never;
		const requested = { words: false, hotwords };
		refuseUnsupported(models, { ...requested, language: zh });
		t.throws(() => refuseUnsupported(models, { ...requested, language: ja }), {
			message: /the installed model ja does not support hotwords/,
		});
		const waiting = [request(ja), request(zh), request(ja)];
		t.same(models.nextBatch(waiting, 1), [waiting[0]]);
	},
);

t.test("the main model translates, whoever recognizes English", async (t) => {
	const { source, hasRoom } = device(200);
	const translator = recognizer("main", [zh, en], { translates: true });
	const models = await LanguageModels.open(
		translator,
		[source("en", [en])],
		hasRoom,
	);
	const translation = { ...request(en), translatedFrom: zh } as const;
	refuseUnsupported(models, { ...translation, words: false });
	t.match(await models.recognize(translation), { text: "main" });
	t.equal(await textOf(models, en), "en");
	const waiting = [translation, request(en), request(zh)];
	t.same(models.nextBatch(waiting, 1), [translation]);
	await models.close();
});

t.test(
	"a model that can't be opened leaves its language to the main one",
	async (t) => {
		const { source, hasRoom } = device(200);
		const failed: string[] = [];
		const broken = (name: string, language: Language): LanguageModelSource => ({
			...source(name, [language]),
			open: async () => {
				throw new Error("it is damaged");
			},
		});
		const models = await LanguageModels.open(
			main,
			[broken("zh", zh), broken("ja", ja)],
			hasRoom,
			{ onModelFailed: (name) => failed.push(name) },
		);
		t.same(failed, ["zh", "ja"]);
		t.equal(await textOf(models, zh), "main");
		t.notOk(models.languages.includes(ja), "nobody serves it");
		t.match(models.states, [
			{ name: "zh", state: "failed", why: "it is damaged" },
			{ name: "ja", state: "failed" },
		]);
	},
);

t.test(
	"one error is a segment's, three in a row are the model's",
	async (t) => {
		const { source, hasRoom, log } = device(200);
		let left = 1;
		const recognize = async () => {
			if (left-- > 0) throw new Error("a bad run");
			return madeHypothesis("zh");
		};
		const models = await LanguageModels.open(
			main,
			[source("zh", [zh], { recognize })],
			hasRoom,
		);
		t.equal(await textOf(models, zh), "main", "it is recognized all the same");
		t.equal(await textOf(models, zh), "zh");
		left = 3;
		for (let i = 0; i < 3; i++) t.equal(await textOf(models, zh), "main");
		t.match(models.states, [{ state: "failed", why: "a bad run" }]);
		t.same(log, ["open zh", "close zh"]);
		t.equal(await textOf(models, zh), "main");
	},
);

t.test(
	"short of memory, what was not used for the longest is closed",
	async (t) => {
		const { source, hasRoom, log } = device(100);
		const models = await LanguageModels.open(
			main,
			[source("zh", [zh]), source("en", [en])],
			hasRoom,
		);
		t.same(log, ["open zh", "close zh", "open en"], "each was open once");
		t.match(models.states, [{ state: "closed" }, { state: "open" }]);
		t.equal(await textOf(models, zh), "zh");
		t.same(log.slice(3), ["close en", "open zh"]);
		// a session in Chinese holds its model: English is left to the main one
		const release = models.hold(zh);
		t.equal(await textOf(models, en), "main");
		t.match(models.states, [{ state: "open" }, { state: "closed" }]);
		release();
		release();
		t.equal(await textOf(models, en), "en");
		await models.close();
		t.equal(log.at(-1), "close en");
	},
);

t.test("mixed speech goes to a model that knows both languages", async (t) => {
	const { source, hasRoom } = device(200);
	const knowsBoth = source("zh", [zh]);
	const opened = async () => {
		const { recognizer, close } = await knowsBoth.open();
		const languages = [zh, en, zhEn] as const;
		return { recognizer: { ...recognizer, languages }, close };
	};
	const english = recognizer("main", [en]);
	const models = await LanguageModels.open(
		english,
		[{ ...knowsBoth, open: opened }, source("ja", [ja])],
		hasRoom,
	);
	t.same(models.languages, [ja, en, zh, mixed, zhEn]);
	t.equal(await textOf(models, zhEn), "zh");
	t.equal(await textOf(models, en), "main");
	t.same(models.states[0]?.languages, [zh, zhEn]);
	t.same(models.states[1]?.languages, [ja]);
});

t.test("nobody knows both: each language by its own model", async (t) => {
	const { source, hasRoom } = device(200);
	// the sign of the samples is the language
	const read: string[] = [];
	const speaks = (name: string, sign: 1 | -1): Partial<SpeechRecognizer> => ({
		recognize: async ({ samples, language }) => {
			read.push(`${name} ${samples.length / 16_000} s`);
			return madeHypothesis(`${name}:${language}`, {
				confidence: Math.sign(samples[0] ?? 0) === sign ? 0.9 : 0.3,
			});
		},
	});
	const noTimes = { ...whisperCapabilities, wordTimes: false };
	const models = await LanguageModels.open(
		recognizer("main", [en], speaks("main", -1)),
		[source("ja", [ja], { ...speaks("ja", 1), capabilities: noTimes })],
		hasRoom,
	);
	t.same(models.languages, [ja, en, mixed]);
	const served = models.servedBy(mixed);
	t.equal(served.name, "ja and main");
	refuseUnsupported(models, { language: mixed, words: false });
	t.throws(
		() => refuseUnsupported(models, { language: mixed, words: true }),
		{ message: /ja and main/ },
		"one of them can't",
	);
	const samples = new Float32Array(64_000).fill(0.1);
	samples.fill(-0.1, 32_000);
	const ask = async (more: Partial<SegmentRequest>) => {
		const found = await models.recognize({
			...request(mixed),
			samples,
			...more,
		});
		if (found === "cancelled") throw new Error(found);
		return found;
	};
	const languageSpans = [
		{ startSample: 0, endSample: 32_000 },
		{ startSample: 32_000, endSample: 64_000 },
	];
	const both = await ask({ languageSpans });
	t.match(both, { text: "" });
	t.notOk(both.spokenIn, "each run is read by itself");
	const [first = 0, second = 0] = both.languageLogOdds ?? [];
	t.ok(first > 2.2 && second < -2.2, `${first}, ${second}`);
	t.same(read.splice(0), ["ja 2 s", "main 2 s", "ja 2 s", "main 2 s"]);
	const english = new Float32Array(64_000).fill(-0.1);
	const one = await ask({ languageSpans, samples: english });
	t.match(one, { text: "main:en-US", spokenIn: en });
	t.same(
		read.splice(0),
		["main 4 s"],
		"the whole in that language; its halves were read before",
	);
	const unsure = await ask({
		languageSpans,
		samples: new Float32Array(64_000),
	});
	t.match(unsure, { text: "ja:ja-JP", spokenIn: ja });
	t.same(
		read.splice(0),
		["ja 2 s", "main 2 s", "ja 4 s", "main 4 s"],
		"halves of one sound, and the whole, in both",
	);
	await ask({ samples: english, beam: 2 });
	await ask({ samples: english, beam: 2, open: true });
	t.same(read.splice(0), ["ja 4 s", "main 4 s", "ja 4 s", "main 4 s"]);
	const run = await ask({ spokenIn: en, samples: samples.subarray(32_000) });
	t.match(run, { text: "main:en-US", spokenIn: en });
	t.same(models.nextBatch([request(mixed), request(mixed)], 1).length, 1);
	const release = models.hold(mixed);
	release();
	await models.close();
});

t.test("mixed speech without a model for one of its languages", async (t) => {
	const { source, hasRoom } = device(200);
	const models = await LanguageModels.open(
		recognizer("main", [en]),
		[source("ja", [ja])],
		hasRoom,
	);
	t.notOk(models.languages.includes(zhEn));
	await models.close();
});
