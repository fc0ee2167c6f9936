/**
 * Records what sherpa-onnx-node answers on a tiny model of each kind (test/kinds/cases.ts): test/kinds/kind-answers.json.
 * The peer lives in the benchmarks' cache (scripts/benchmarks/peers/setup), not among earshot's dependencies.
 * Usage: node build/scripts/models/kind-answers.js [NAME...]
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import {
	answerLine,
	type KindAnswer,
	type KindAnswers,
	type KindCase,
	kindCases,
	parseAnswers,
	speechPieces,
	writtenCases,
} from "../../test/kinds/cases.js";
import { cacheDirectory } from "../benchmarks/cache.js";

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
		readonly tokens: readonly string[];
		readonly timestamps?: readonly number[];
		readonly ys_probs?: readonly number[];
		readonly ys_log_probs?: readonly number[];
	};
}

interface Stream {
	acceptWaveform(wave: { sampleRate: number; samples: Float32Array }): void;
	inputFinished(): void;
}

const output = "test/kinds/kind-answers.json";
const sampleRate = 16_000;
/** As earshot's own (streaming/segment-stream.ts). */
const tailSecondsUsual = 0.5;
/** What a stream gets at once: odd on purpose. */
const chunkSamples = 1237;

const require = createRequire(join(cacheDirectory, "node", "package.json"));
const sherpa = require("sherpa-onnx-node") as Peer;

function recognizerFor(
	{ peer }: KindCase,
	folder: string,
	beam: number,
): Recognizer {
	const names = readdirSync(folder);
	const pathOf = (part: string) =>
		join(folder, names.find((it) => it.startsWith(part)) ?? part);
	const config = {
		featConfig: { sampleRate, featureDim: peer.mels ?? 80 },
		modelConfig: {
			tokens: join(folder, "tokens.txt"),
			numThreads: 1,
			provider: "cpu",
			...(peer.modelType && { modelType: peer.modelType }),
			[peer.config]: Object.fromEntries(
				Object.entries(peer.files).map(([key, part]) => [key, pathOf(part)]),
			),
		},
		decodingMethod: beam === 1 ? "greedy_search" : "modified_beam_search",
		maxActivePaths: beam,
	};
	return peer.streams
		? new sherpa.OnlineRecognizer(config)
		: new sherpa.OfflineRecognizer(config);
}

const rounded = (values: readonly number[] | undefined) =>
	(values ?? []).map((it) => Math.round(it * 1e5) / 1e5);

function answerOf(
	recognizer: Recognizer,
	one: KindCase,
	samples: Float32Array,
) {
	const stream = recognizer.createStream();
	if (one.peer.streams) {
		for (let at = 0; at < samples.length; at += chunkSamples) {
			const part = samples.slice(at, at + chunkSamples);
			stream.acceptWaveform({ sampleRate, samples: part });
			while (recognizer.isReady(stream)) recognizer.decode(stream);
		}
		const { tailSeconds = tailSecondsUsual } = one.peer;
		const tail = new Float32Array(Math.round(tailSeconds * sampleRate));
		stream.acceptWaveform({ sampleRate, samples: tail });
		stream.inputFinished();
		while (recognizer.isReady(stream)) recognizer.decode(stream);
	} else {
		stream.acceptWaveform({ sampleRate, samples });
		recognizer.decode(stream);
	}
	const found = recognizer.getResult(stream);
	return {
		tokens: found.tokens,
		seconds: rounded(found.timestamps),
		logp: rounded(found.ys_log_probs ?? found.ys_probs),
	};
}

function answersOf(one: KindCase, folder: string): KindAnswer[] {
	return (one.peer.beams ?? [1]).flatMap((beam) => {
		const recognizer = recognizerFor(one, folder, beam);
		return speechPieces(one.peer.longerPieces).map((samples, piece) => ({
			piece,
			beam,
			...answerOf(recognizer, one, samples),
		}));
	});
}

const wanted = process.argv.slice(2);
const cases = kindCases.filter(
	({ name }) => wanted.length === 0 || wanted.includes(name),
);
const { folderOf, dispose } = writtenCases(cases);
let answers: KindAnswers =
	wanted.length === 0 ? {} : parseAnswers(readFileSync(output, "utf8"));
for (const one of cases)
	answers = { ...answers, [one.name]: answersOf(one, folderOf(one.name)) };
dispose();
const lines = Object.fromEntries(
	Object.entries(answers).map(([name, all]) => [name, all.map(answerLine)]),
);
writeFileSync(output, `${JSON.stringify(lines, null, "\t")}\n`);
process.stdout.write(`${output}: ${Object.keys(answers).length} kinds\n`);
