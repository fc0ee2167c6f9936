/** Speech that is looked at several times, for its language and for its texts, is encoded once; who uses an encoding keeps it. */
import { basename, join } from "node:path";
import t from "tap";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import type { SegmentRequest } from "../../runtime/models/recognizer.js";
import {
	RecentEncodings,
	type Sound,
} from "../../runtime/models/whisper/recent-encodings.js";
import type { Language } from "../../runtime/text/languages.js";
import { keptGraphs } from "./kept-graphs.js";
import {
	missing,
	modelDirectory,
	openRecognizer,
	readWav,
	transcribe,
} from "./packages.js";
import { scriptedRequest, scriptedWhisper } from "./scripted-whisper.js";
import { textOf, together } from "./together.js";

const skip = missing(modelDirectory);
const choices: readonly Language[] = ["en-US", "ja-JP", "zh-cmn-Hans-CN"];

async function opened() {
	let encodings = 0;
	const port: InferencePort = {
		...keptGraphs,
		async open(path, options) {
			const graph = await keptGraphs.open(path, options);
			const isEncoder = basename(path) === "encoder.onnx";
			return {
				...graph,
				run: (...run) => {
					if (isEncoder) encodings++;
					return graph.run(...run);
				},
			};
		},
	};
	const recognizer = await openRecognizer(modelDirectory, port);
	return { recognizer, encodings: () => encodings };
}

const request = (
	samples: Float32Array,
	changes: Partial<SegmentRequest> = {},
): SegmentRequest => ({
	samples,
	language: "en-US",
	beam: 2,
	punctuation: true,
	words: false,
	...changes,
});

const read = (name: string) => readWav(join("test/clips", `${name}.wav`));

t.test("identified, then recognized", { skip }, async (t) => {
	for (const [name, language] of [
		["ja-kokoro-weather", "ja-JP"],
		["en-librivox-0870", "en-US"], // 7.1 s: more than a language is identified by
	] as const) {
		const { recognizer, encodings } = await opened();
		const samples = read(name);
		const wanted = await transcribe(
			recognizer,
			request(read(name), { language }),
		);
		t.equal(encodings(), 1);
		const found = await recognizer.identifyLanguage?.(samples, choices);
		t.equal(found?.language, language);
		const text = await transcribe(recognizer, request(samples, { language }));
		t.same(text, wanted);
		t.equal(encodings(), 2, "once for both");
		await transcribe(recognizer, request(samples, { language }));
		t.equal(encodings(), 3, "what is wanted again is computed again");
		samples.set(samples.slice(samples.length / 2));
		await transcribe(
			recognizer,
			request(samples, { language, spokenIn: language }),
		);
		t.equal(encodings(), 4, "as is other speech at the same place");
		await recognizer.close();
	}
});

t.test("the first words, identified, then recognized", async (t) => {
	for (const open of [true, false]) {
		const contexts: number[] = [];
		const { recognizer } = await scriptedWhisper({}, (graph, seconds) => {
			if (graph === "encoder") contexts.push(seconds);
		});
		const request = { ...scriptedRequest, open };
		await recognizer.identifyLanguage?.(request.samples, ["en-US"], { open });
		await transcribe(recognizer, request);
		t.same(contexts, [open ? 6 : 10], "once for both");
		await recognizer.close();
	}
});

t.test("of speech in two languages that goes on, none is kept", async (t) => {
	for (const open of [true, false]) {
		const { recognizer, alive } = await scriptedWhisper({});
		const language = "ja-JP-en-US";
		const request = { ...scriptedRequest, language, open } as const;
		await transcribe(recognizer, { ...request, spokenIn: "en-US" });
		t.equal(alive(), open ? 0 : 2);
		await recognizer.close();
		t.equal(alive(), 0);
	}
});

t.test("in two languages, in one batch", { skip }, async (t) => {
	const { recognizer, encodings } = await opened();
	const in2 = (samples: () => Float32Array) =>
		(["ja-JP", "en-US"] as const).map((spokenIn) =>
			request(samples(), { language: "ja-JP-en-US", spokenIn }),
		);
	const wanted = await together(
		recognizer,
		in2(() => read("ja-kokoro-station")),
	);
	t.equal(encodings(), 2);
	const samples = read("ja-kokoro-station");
	const found = await together(
		recognizer,
		in2(() => samples),
	);
	t.same(found.map(textOf), wanted.map(textOf));
	t.equal(encodings(), 3);
	await recognizer.close();
});

t.test("a few are kept, and what is used stays", async (t) => {
	const recent = new RecentEncodings();
	const disposed: string[] = [];
	const use = (name: string, positions: number) =>
		recent.get(sounds[name] as Sound, positions / 50, async () => ({
			cross: {},
			positions,
			dispose: () => void disposed.push(name),
		}));
	const sounds = Object.fromEntries(
		["a", "b", "c", "d"].map((name) => [name, soundOf(name)]),
	);
	const first = await use("a", 500);
	(await use("b", 500)).dispose();
	(await use("c", 500)).dispose();
	t.same(disposed, [], "30 s of context in all");
	(await use("d", 1000)).dispose();
	t.same(disposed, ["b"], "the oldest go, but not what somebody uses");
	first.dispose();
	first.dispose();
	t.same(disposed, ["b", "a"]);
	recent.clear();
	t.same(disposed, ["b", "a", "c", "d"]);
});

function soundOf(name: string): Sound {
	const samples = new Float32Array(16).fill(name.charCodeAt(0));
	const request = { samples, language: "en-US", languageOnly: true } as const;
	return { features: samples, request };
}
