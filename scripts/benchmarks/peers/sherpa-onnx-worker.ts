/**
 * One contender: sherpa-onnx-node (greedy search is its only one for Whisper), int8, the language given. Speaks the worker protocol.
 * The package lives in the benchmarks' cache, not among earshot's dependencies.
 * Usage: sherpa-onnx-worker.js NODE_DIRECTORY GRAPH_DIRECTORY THREADS hex|published
 * EARSHOT_BENCH_SHERPA_DECODER: decoder.int8.onnx, as published, or decoder.all-int8.onnx.
 * `hex` gives the text it recognized, `published` the text it prints: release 1.13.8 loses characters that are spelt with two tokens.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { readWav, sampleRateHz, toFloat } from "../wav.js";
import { answerRequests } from "../worker-protocol.js";

/** The part of sherpa-onnx-node that is used here. */
interface SherpaOnnx {
	readonly version?: string;
	readonly OfflineRecognizer: new (config: unknown) => SherpaRecognizer;
}

interface SherpaRecognizer {
	createStream(): SherpaStream;
	decode(stream: SherpaStream): void;
	getResult(stream: SherpaStream): { readonly text: string };
}

interface SherpaStream {
	acceptWaveform(wave: { sampleRate: number; samples: Float32Array }): void;
}

const [nodeDirectory = "", graphDirectory = "", threads = "2", tokens = "hex"] =
	process.argv.slice(2);
const require = createRequire(join(nodeDirectory, "package.json"));
const sherpa = require("sherpa-onnx-node") as SherpaOnnx;
const { version } = require("sherpa-onnx-node/package.json") as {
	version: string;
};

/** The language is fixed when a recognizer is made, so there is one for each. */
function openRecognizer(language: string): SherpaRecognizer {
	return new sherpa.OfflineRecognizer({
		featConfig: { sampleRate: sampleRateHz, featureDim: 80 },
		modelConfig: {
			whisper: {
				encoder: join(graphDirectory, "encoder.int8.onnx"),
				decoder: join(
					graphDirectory,
					process.env.EARSHOT_BENCH_SHERPA_DECODER ?? "decoder.int8.onnx",
				),
				language,
				task: "transcribe",
			},
			tokens: join(
				graphDirectory,
				tokens === "hex" ? "tokens-hex.txt" : "tokens.txt",
			),
			numThreads: Number(threads),
			provider: "cpu",
		},
	});
}

const recognizers = new Map(
	["zh", "ja", "en"].map((language) => [language, openRecognizer(language)]),
);

await answerRequests(`sherpa-onnx-node ${version}`, async (request) => {
	const recognizer = recognizers.get(request.language);
	if (recognizer === undefined) throw new Error(`no ${request.language}`);
	const samples = toFloat(readWav(request.path));
	const started = performance.now();
	const stream = recognizer.createStream();
	stream.acceptWaveform({ sampleRate: sampleRateHz, samples });
	recognizer.decode(stream);
	const { text } = recognizer.getResult(stream);
	return {
		text: tokens === "hex" ? Buffer.from(text, "hex").toString() : text,
		seconds: (performance.now() - started) / 1000,
	};
});
