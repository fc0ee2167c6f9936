/**
 * Several sentences in one recording, on a whole appliance: at every interface everything that is said arrives, whatever the pauses, the voices and the levels.
 */
import t, { type Test } from "tap";
import { join } from "../audio/signals.js";
import { sharedAppliance } from "../e2e/shared-appliance.js";
import { missing, readWav, sharedAudio } from "../whisper/packages.js";
import { askAsFile, askOverHttp, askOverWebSocket } from "./ask.js";
import {
	type JoinPlan,
	joinSentences,
	missingFrom,
	readSentences,
	type Sentence,
	sampleRateHz,
} from "./sentences.js";

const chinese = ["zh-weather", "zh-train", "zh-meeting"];

function joined(names: readonly string[], plan: JoinPlan) {
	const sentences = readSentences(...names);
	return { sentences, ...joinSentences(sentences, plan) };
}

function arrive(
	t: Test,
	sentences: readonly Sentence[],
	text: string,
	what: string,
): void {
	t.same(missingFrom(text, sentences), [], `${what}: ${text}`);
}

t.test("joined sentences", async (t) => {
	const earshot = await sharedAppliance();

	t.test("a short recognition hears all of them", async (t) => {
		for (const [language, names, pauseSeconds] of [
			["zh", ["zh-market", "zh-meeting", "zh-train"], 0.3],
			["ja", ["ja-train", "ja-library", "ja-movie"], 0.6],
			["en", ["en-train", "en-doctor", "en-garden"], 0.3],
		] as const) {
			const { sentences, samples } = joined(names, { pauseSeconds });
			const text = await askOverHttp(earshot, samples, language);
			arrive(t, sentences, text, "HTTP");
			if (language !== "zh") continue; // the others: test/e2e/same-text.test.ts
			const streamed = await askOverWebSocket(earshot, samples, language);
			t.equal(streamed, text, "the same over WebSocket");
		}
	});

	t.test("what is quiet behind what is loud is heard", async (t) => {
		const plan = { pauseSeconds: 0.6, levelsDb: [0, -30, 0] };
		const { sentences, samples } = joined(chinese, plan);
		const text = await askOverHttp(earshot, samples, "zh");
		arrive(t, sentences, text, "HTTP");
		arrive(t, sentences, await askAsFile(earshot, samples, "zh"), "file");
	});

	t.test("a file and a transcriber hear all of them", async (t) => {
		const names = ["zh-doctor", ...chinese, "zh-market"];
		const pauseSeconds = [1.5, 0.3, 0.6, 3];
		const { sentences, samples } = joined(names, { pauseSeconds });
		arrive(t, sentences, await askAsFile(earshot, samples, "zh"), "file");
		const text = await askOverWebSocket(
			...([earshot, samples, "zh", "SpeechTranscriber"] as const),
		);
		arrive(t, sentences, text, "transcriber");
	});

	t.test(
		"words said one by one behind a sentence arrive",
		{ skip: missing(sharedAudio) },
		async (t) => {
			const samples = join([
				readWav(`${sharedAudio}/en-librispeech-6930-75918-0002.wav`),
				new Float32Array(0.45 * sampleRateHz),
				readWav(`${sharedAudio}/en-uberi-1.wav`),
			]);
			const text = await askOverHttp(earshot, samples, "en");
			t.match(text, /princess.* journey.*(1, 2, 3|one, two, three)/i);
		},
	);

	t.test("a pause may be as long as a rule has it", async (t) => {
		const names = ["zh-train", "zh-meeting", "zh-weather"];
		for (const pauseSeconds of [
			[0.192, 1.2],
			[0.25, 5],
			[0.8, 0.8],
		]) {
			const { sentences, samples } = joined(names, { pauseSeconds });
			const text = await askOverHttp(earshot, samples, "zh");
			arrive(t, sentences, text, `${pauseSeconds} s`);
		}
	});

	t.test("a recording may begin and end inside a word", async (t) => {
		const { samples, spans } = joined(["en-train", "en-garden", "en-doctor"], {
			pauseSeconds: 0.3,
		});
		const startSeconds = (spans[0]?.startSeconds ?? 0) + 0.5;
		const endSeconds = (spans.at(-1)?.endSeconds ?? 0) - 0.5;
		const text = await askOverHttp(
			earshot,
			samples.slice(startSeconds * sampleRateHz, endSeconds * sampleRateHz),
			"en",
		);
		t.match(text, /leaves,? at .* in the morning/);
		t.match(text, /planted three apple trees in the garden/);
		t.match(text, /told me to drink more water/);
	});

	t.test("a tenth of a second is answered", async (t) => {
		const [{ samples: speech }] = readSentences("en-doctor") as [Sentence];
		const tenth = sampleRateHz / 10;
		for (const samples of [
			new Float32Array(tenth),
			speech.slice(8000, 8000 + tenth),
		]) {
			const text = await askOverHttp(earshot, samples, "en");
			t.ok(text.length < 20, `with a word or nothing: ${text}`);
			t.equal(await askOverWebSocket(earshot, samples, "en"), text);
		}
	});
});
