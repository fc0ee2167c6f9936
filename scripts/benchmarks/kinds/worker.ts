/**
 * One side of the comparison, in a process of its own. Speaks the worker protocol; the answers also have the memory of the process.
 * Usage: worker.js earshot|sherpa-onnx-node KIND FOLDER THREADS
 */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openPublished } from "../../../test/kinds/models.js";
import { cacheDirectory } from "../cache.js";
import { readWav, sampleRateHz, toFloat } from "../wav.js";
import { answerRequests, type WorkerAnswer } from "../worker-protocol.js";
import { type MeasuredKind, measuredKinds } from "./models.js";

export interface KindAnswer extends WorkerAnswer {
	/** Resident memory of the process, bytes. */
	readonly rss: number;
}

type Recognize = (samples: Float32Array) => Promise<string>;

interface SherpaStream {
	acceptWaveform(wave: { sampleRate: number; samples: Float32Array }): void;
	inputFinished(): void;
}

interface SherpaRecognizer {
	createStream(): SherpaStream;
	isReady(stream: SherpaStream): boolean;
	decode(stream: SherpaStream): void;
	getResult(stream: SherpaStream): { readonly text: string };
}

/** The part of sherpa-onnx-node that is used here. */
interface SherpaOnnx {
	readonly OfflineRecognizer: new (config: unknown) => SherpaRecognizer;
	readonly OnlineRecognizer: new (config: unknown) => SherpaRecognizer;
}

const beam = 5;

async function openEarshot(
	folder: string,
	threads: number,
): Promise<Recognize> {
	const recognizer = await openPublished(folder, undefined, threads);
	return async (samples) => {
		const found = await recognizer.recognize({
			...{ samples, language: "en-US", beam },
			...{ punctuation: true, words: false },
		});
		if (found === "cancelled") throw new Error(found);
		return found.text;
	};
}

function openSherpa(
	{ peer }: MeasuredKind,
	folder: string,
	numThreads: number,
): Recognize {
	const require = createRequire(join(cacheDirectory, "node", "package.json"));
	const sherpa = require("sherpa-onnx-node") as SherpaOnnx;
	const names = readdirSync(folder);
	const pathOf = (part: string) =>
		join(folder, names.find((it) => it.startsWith(part)) ?? part);
	const files = Object.entries(peer.files);
	const { tailSeconds } = peer;
	const config = {
		featConfig: { sampleRate: sampleRateHz, featureDim: 80 },
		modelConfig: {
			tokens: join(folder, "tokens.txt"),
			...{ numThreads, provider: "cpu" },
			[peer.config]: Object.fromEntries(
				files.map(([key, part]) => [key, pathOf(part)]),
			),
		},
	};
	const recognizer =
		tailSeconds === undefined
			? new sherpa.OfflineRecognizer(config)
			: new sherpa.OnlineRecognizer(config);
	return async (samples) => {
		const stream = recognizer.createStream();
		const accept = (samples: Float32Array) =>
			stream.acceptWaveform({ sampleRate: sampleRateHz, samples });
		accept(samples);
		if (tailSeconds === undefined) recognizer.decode(stream);
		else {
			accept(new Float32Array(Math.round(tailSeconds * sampleRateHz)));
			stream.inputFinished();
			while (recognizer.isReady(stream)) recognizer.decode(stream);
		}
		return recognizer.getResult(stream).text;
	};
}

const [side = "", name, folder = "", threads = "2"] = process.argv.slice(2);
const kind = measuredKinds.find((it) => it.name === name);
if (!kind) throw new Error(`${name} is none of the measured kinds`);
const recognize =
	side === "earshot"
		? await openEarshot(folder, Number(threads))
		: openSherpa(kind, folder, Number(threads));

await answerRequests(side, async ({ path }): Promise<KindAnswer> => {
	const samples = toFloat(readWav(path));
	const since = performance.now();
	const text = await recognize(samples);
	const seconds = (performance.now() - since) / 1000;
	return { text, seconds, rss: process.memoryUsage.rss() };
});
