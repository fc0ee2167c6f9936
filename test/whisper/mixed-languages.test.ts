/** Mixed speech: the recognizer identifies which of two languages a segment and its spans are in, and recognizes the segment in that one. */
import t from "tap";
import type { SegmentRequest } from "../../runtime/models/recognizer.js";
import { joinSentences, readSentences } from "../joined/sentences.js";
import {
	missing,
	modelDirectory,
	openRecognizer,
	transcribe,
} from "./packages.js";

const rate = 16_000;
const options = { beam: 3, punctuation: true, words: false } as const;
const zhEn = { ...options, language: "zh-cmn-Hans-CN-en-US" } as const;
const jaEn = { ...options, language: "ja-JP-en-US" } as const;

t.test("with a model", { skip: missing(modelDirectory) }, async (t) => {
	const recognizer = await openRecognizer(modelDirectory);
	t.teardown(() => recognizer.close());
	const [chinese, english, japanese] = readSentences(
		"zh-train",
		"en-train",
		"ja-train",
	).map((it) => it.samples) as [Float32Array, Float32Array, Float32Array];

	t.test("each clip is recognized in its own language", async (t) => {
		const one = await transcribe(recognizer, { ...zhEn, samples: english });
		t.equal(one.spokenIn, "en-US");
		t.match(one.text, /train to the city/i);
		t.ok(Number(one.languageLogOdds?.[0]) < -2.2);
		const other = await transcribe(recognizer, { ...zhEn, samples: chinese });
		t.equal(other.spokenIn, "zh-cmn-Hans-CN");
		t.match(other.text, /火车/);
		t.ok(Number(other.languageLogOdds?.[0]) > 2.2);
		const third = await transcribe(recognizer, { ...jaEn, samples: japanese });
		t.equal(third.spokenIn, "ja-JP");
		t.match(third.text, /東京/);
		const alone = { ...options, language: "en-US", samples: english } as const;
		const single = await transcribe(recognizer, alone);
		t.equal(single.text, one.text, "as if it had been asked for");
		t.notOk("spokenIn" in single);
		t.notOk("languageLogOdds" in single);
	});

	t.test("the likeliest of several languages is identified", async (t) => {
		const choices = ["ja-JP", "en-US", "zh-cmn-Hans-CN"] as const;
		const identify = async (samples: Float32Array) =>
			recognizer.identifyLanguage?.(samples, choices);
		for (const [samples, language] of [
			[chinese, "zh-cmn-Hans-CN"],
			[english, "en-US"],
			[japanese, "ja-JP"],
		] as const)
			t.same(await identify(samples), { language, isSure: true });
		t.equal(await identify(new Float32Array(3 * rate)), undefined, "silence");
	});

	t.test("a known language is not identified again", async (t) => {
		const found = await transcribe(recognizer, {
			...zhEn,
			samples: english,
			spokenIn: "zh-cmn-Hans-CN",
		});
		t.equal(found.spokenIn, "zh-cmn-Hans-CN");
		t.notOk("languageLogOdds" in found);
	});

	t.test("the presumed language is used until the audio decides", async (t) => {
		const presumed = { ...zhEn, presumedIn: "zh-cmn-Hans-CN" } as const;
		const sure = await transcribe(recognizer, {
			...presumed,
			samples: english,
		});
		t.equal(sure.spokenIn, "en-US");
		const samples = english.subarray(0, 0.12 * rate);
		const unsure = { ...presumed, samples, languageOnly: true };
		t.equal((await transcribe(recognizer, unsure)).spokenIn, "zh-cmn-Hans-CN");
		const other = { ...unsure, presumedIn: "en-US" } as const;
		t.equal((await transcribe(recognizer, other)).spokenIn, "en-US");
	});

	t.test(
		"a text that settled in the other language is dropped in a batch, too",
		async (t) => {
			const { tokens } = await transcribe(recognizer, {
				...zhEn,
				samples: chinese,
			});
			const requests = [english, chinese].map((samples) => ({
				...zhEn,
				samples,
				presumedIn: "zh-cmn-Hans-CN" as const,
				prefixTokens: tokens.slice(0, 2),
			}));
			const alone = [];
			for (const it of requests) alone.push(await transcribe(recognizer, it));
			t.match(alone[0]?.text, /train to the city/i);
			t.match(alone[1]?.text, /火车/);
			t.same(await recognizer.recognizeAll?.(requests), alone);
		},
	);

	t.test("spans are identified separately, alone and in a batch", async (t) => {
		const sentences = readSentences("zh-market", "en-garden", "zh-doctor");
		const { samples, spans } = joinSentences(sentences, { pauseSeconds: 0.3 });
		const languageSpans = spans.map((it) => ({
			startSample: it.startSeconds * rate,
			endSample: it.endSeconds * rate,
		}));
		const request: SegmentRequest = { ...zhEn, samples, languageSpans };
		const found = await transcribe(recognizer, request);
		const [first = 0, second = 0, third = 0] = found.languageLogOdds ?? [];
		t.ok(
			first > 2.2 && second < -2.2 && third > 2.2,
			`${found.languageLogOdds}`,
		);
		t.equal(found.spokenIn, "zh-cmn-Hans-CN", "all of it in the eastern one");
		const beside = { ...options, language: "en-US", samples: english } as const;
		const [together, neighbour] =
			(await recognizer.recognizeAll?.([request, beside])) ?? [];
		t.same(together, found);
		t.notOk(neighbour === "cancelled" || neighbour?.spokenIn);
		const only = await transcribe(recognizer, {
			...request,
			languageOnly: true,
		});
		t.equal(only.text, "");
		t.same(only.languageLogOdds, found.languageLogOdds);
		const [onlyTogether, still] =
			(await recognizer.recognizeAll?.([
				{ ...request, languageOnly: true },
				request,
			])) ?? [];
		t.same(onlyTogether, only);
		t.same(still, found, "one that ends before its first step disturbs nobody");
	});
});
