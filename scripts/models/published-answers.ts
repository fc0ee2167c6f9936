/**
 * Records what sherpa-onnx-node answers on published and tiny models (test/published/cases.ts): test/published/published-answers.json.
 * The peer lives in the benchmarks' cache (scripts/benchmarks/peers/setup), not among earshot's dependencies.
 * Usage: node build/scripts/models/published-answers.js
 */
import { readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import {
	type Answer,
	type Case,
	publishedCases,
} from "../../test/published/cases.js";
import { cacheDirectory } from "../benchmarks/cache.js";
import { readWav, toFloat } from "../benchmarks/wav.js";

/** The part of sherpa-onnx-node that is used here. */
interface Peer {
	readonly OnlineRecognizer: new (config: unknown) => Recognizer;
	readonly OfflineRecognizer: new (config: unknown) => Recognizer;
}

interface Recognizer {
	createStream(): Stream;
	isReady(stream: Stream): boolean;
	decode(stream: Stream): void;
	getResult(stream: Stream): {
		readonly text: string;
		readonly tokens: readonly string[];
		readonly timestamps: readonly number[];
		readonly ys_probs?: readonly number[];
	};
}

interface Stream {
	acceptWaveform(wave: { sampleRate: number; samples: Float32Array }): void;
	inputFinished(): void;
}

const output = "test/published/published-answers.json";
const sampleRate = 16_000;
/** As earshot's own (streaming/segment-stream.ts). */
const tailSamples = sampleRate / 2;

const require = createRequire(join(cacheDirectory, "node", "package.json"));
const sherpa = require("sherpa-onnx-node") as Peer;

function partOf({ folder }: Case, part: string): string {
	const found = readdirSync(folder).find(
		(it) => it.startsWith(part) && it.endsWith(".onnx"),
	);
	return join(folder, found ?? part);
}

function recognizerFor(one: Case, beam: number): Recognizer {
	const shared = {
		tokens: join(one.folder, "tokens.txt"),
		numThreads: 1,
		provider: "cpu",
	};
	const featConfig = { sampleRate, featureDim: 80 };
	if (one.kind === "sense-voice")
		return new sherpa.OfflineRecognizer({
			featConfig,
			modelConfig: {
				...shared,
				senseVoice: {
					model: partOf(one, "model"),
					language: "zh",
					useInverseTextNormalization: beam === 1 ? 1 : 0,
				},
			},
		});
	return new sherpa.OnlineRecognizer({
		featConfig,
		modelConfig: {
			...shared,
			transducer: {
				encoder: partOf(one, "encoder"),
				decoder: partOf(one, "decoder"),
				joiner: partOf(one, "joiner"),
			},
		},
		decodingMethod: beam === 1 ? "greedy_search" : "modified_beam_search",
		maxActivePaths: beam,
	});
}

function answerOf(one: Case, beam: number, clip: string): Answer {
	const recognizer = recognizerFor(one, beam);
	const stream = recognizer.createStream();
	const samples = toFloat(readWav(clip));
	stream.acceptWaveform({ sampleRate, samples });
	if (one.kind === "sense-voice") recognizer.decode(stream);
	else {
		const tail = new Float32Array(tailSamples);
		stream.acceptWaveform({ sampleRate, samples: tail });
		stream.inputFinished();
		while (recognizer.isReady(stream)) recognizer.decode(stream);
	}
	const { text, tokens, timestamps, ys_probs } = recognizer.getResult(stream);
	return {
		model: one.name,
		clip: basename(clip),
		beam,
		text,
		tokens,
		seconds: timestamps.map((it) => Math.round(it * 1000) / 1000),
		logp: ys_probs ?? [],
	};
}

const { cases, dispose } = publishedCases();
const answers = cases.flatMap((one) =>
	[1, one.kind === "sense-voice" ? 2 : 4].flatMap((beam) =>
		one.clips.map((clip) => answerOf(one, beam, clip)),
	),
);
dispose();
writeFileSync(output, `${JSON.stringify(answers, null, "\t")}\n`);
process.stdout.write(`${output}: ${answers.length} answers\n`);
