/** Segments of mixed speech, from their samples to parts in one language each: the embedded models, sentences of two languages joined. */

import t from "tap";
import { LanguageModels } from "../../runtime/engine/child/language-models.js";
import { loadModels } from "../../runtime/engine/child/models.js";
import type { SegmentQuery } from "../../runtime/engine/child/segment-query.js";
import { recognizeSegment } from "../../runtime/engine/child/segment-recognition.js";
import type { SpeechRecognizer } from "../../runtime/models/recognizer.js";
import type { Segment } from "../../runtime/segmentation/events.js";
import type { Language } from "../../runtime/text/languages.js";
import {
	joinSentences,
	missingFrom,
	readSentences,
} from "../joined/sentences.js";
import { keptGraphs } from "../whisper/kept-graphs.js";
import { missing } from "../whisper/packages.js";

const skip = missing("models/whisper-base", "models/silero-vad");

t.test("with the embedded models", { skip }, async (t) => {
	const models = await loadModels(keptGraphs, {
		modelFolder: "models/whisper-base",
		voiceActivityFolder: "models/silero-vad",
		threads: 1,
		processor: "cpu",
		verify: false,
	});
	t.teardown(() => models.close());

	async function segmentsOf(samples: Float32Array): Promise<Segment[]> {
		const options = { oneText: true, maxSentenceSilenceMs: 800 };
		const segmenter = models.createSegmenter(options);
		const events = [
			...(await segmenter.accept(samples)),
			...(await segmenter.finish()),
		];
		return events.flatMap((it) => (it.is === "end" ? [it.segment] : []));
	}

	async function transcribe(
		samples: Float32Array,
		language: Language,
		recognizer: SpeechRecognizer = models.recognizer,
	) {
		const queries: SegmentQuery[] = [];
		const recognize = async ({ segment, ...query }: SegmentQuery) => {
			const found = await recognizer.recognize({
				samples: segment.samples,
				language,
				beam: 3,
				punctuation: true,
				words: false,
				...query,
			});
			if (found === "cancelled") throw new Error("nobody cancels");
			return found;
		};
		const parts = [];
		for (const segment of await segmentsOf(samples))
			parts.push(
				...(await recognizeSegment(segment, language, async (wanted) => {
					queries.push(...wanted);
					const found = [];
					for (const one of wanted) found.push(await recognize(one));
					return found;
				})),
			);
		const text = parts.map((it) => it.hypothesis.text).join("");
		const decodes = queries.filter((it) => !it.languageOnly).length;
		return { parts, text, decodes };
	}

	for (const [language, pauseSeconds, names] of [
		["zh-cmn-Hans-CN-en-US", 0.6, ["zh-train", "en-doctor", "zh-market"]],
		["zh-cmn-Hans-CN-en-US", 0.3, ["en-train", "zh-market", "en-library"]],
		["ja-JP-en-US", 0.3, ["ja-train", "en-doctor", "ja-movie"]],
		["ja-JP-en-US", 0.6, ["en-library", "ja-movie", "en-train"]],
	] as const)
		t.test(`${names.join(", ")}: ${pauseSeconds} s apart`, async (t) => {
			const sentences = readSentences(...names);
			const { samples } = joinSentences(sentences, { pauseSeconds });
			const { parts, text } = await transcribe(samples, language);
			t.same(missingFrom(text, sentences), [], text);
			t.equal(parts.length, 3);
			parts.forEach(({ hypothesis, segment }, i) => {
				const spoken = hypothesis.spokenIn === "en-US";
				t.equal(spoken, names[i]?.startsWith("en"), hypothesis.text);
				const before = parts[i - 1]?.segment;
				t.ok(!before || segment.startSample >= before.endSample);
			});
		});

	t.test("two models that know one language each", async (t) => {
		const { recognizer } = models;
		let seconds = 0;
		const only = (one: Language): SpeechRecognizer => ({
			name: one,
			languages: [one],
			capabilities: recognizer.capabilities,
			recognize: (request) => {
				t.equal(request.language, one);
				seconds += request.samples.length / 16_000;
				return recognizer.recognize(request);
			},
			close: async () => {},
		});
		const zh = "zh-cmn-Hans-CN";
		const byRuns = await LanguageModels.open(
			only("en-US"),
			[
				{
					name: zh,
					languages: [zh],
					bytes: 0,
					open: async () => ({ recognizer: only(zh), close: async () => {} }),
				},
			],
			() => true,
		);
		const names = ["zh-train", "en-doctor", "zh-market"] as const;
		const sentences = readSentences(...names);
		const { samples } = joinSentences(sentences, { pauseSeconds: 0.6 });
		const language = "zh-cmn-Hans-CN-en-US";
		const { parts, text } = await transcribe(samples, language, byRuns);
		t.same(missingFrom(text, sentences), [], text);
		t.same(
			parts.map((it) => it.hypothesis.spokenIn),
			[zh, "en-US", zh],
		);
		const share = seconds / (samples.length / 16_000);
		t.ok(share < 4, `it is read ${share.toFixed(1)} times`);
	});

	t.test("one language is recognized once, uncut", async (t) => {
		for (const names of [
			["en-garden", "en-train"],
			["zh-weather", "zh-market"],
		]) {
			const sentences = readSentences(...names);
			const { samples } = joinSentences(sentences, { pauseSeconds: 0.4 });
			const { parts, decodes } = await transcribe(
				samples,
				"zh-cmn-Hans-CN-en-US",
			);
			t.equal(parts.length, 1);
			t.equal(decodes, 1);
			const english = names[0]?.startsWith("en");
			t.equal(parts[0]?.hypothesis.spokenIn === "en-US", english);
		}
	});
});
