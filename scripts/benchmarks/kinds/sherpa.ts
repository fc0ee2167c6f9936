/**
 * sherpa-onnx-node with a published model of any kind. It lives in the benchmarks' cache (scripts/benchmarks/peers/setup), not among earshot's dependencies.
 */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { KindCase } from "../../../test/kinds/cases.js";
import { cacheDirectory } from "../cache.js";
import { sampleRateHz } from "../wav.js";

/** The part of sherpa-onnx-node that is used here. */
interface SherpaOnnx {
	readonly OnlineRecognizer: new (config: unknown) => SherpaRecognizer;
	readonly OfflineRecognizer: new (config: unknown) => SherpaRecognizer;
}

export interface SherpaRecognizer {
	createStream(): SherpaStream;
	isReady(stream: SherpaStream): boolean;
	decode(stream: SherpaStream): void;
	getResult(stream: SherpaStream): SherpaResult;
}

interface SherpaStream {
	acceptWaveform(wave: { sampleRate: number; samples: Float32Array }): void;
	inputFinished(): void;
}

export interface SherpaResult {
	readonly text: string;
	readonly tokens: readonly string[];
	readonly timestamps?: readonly number[];
	readonly ys_probs?: readonly number[];
	readonly ys_log_probs?: readonly number[];
}

export type SherpaPeer = KindCase["peer"] & {
	/** More of the model's own configuration. */
	readonly more?: Readonly<Record<string, unknown>>;
};

/** As earshot's own (streaming/segment-stream.ts). */
const tailSecondsUsual = 0.5;

/** @param beam 1 is greedy search. */
export function openSherpa(
	peer: SherpaPeer,
	folder: string,
	{ threads, beam }: { readonly threads: number; readonly beam: number },
): SherpaRecognizer {
	const require = createRequire(join(cacheDirectory, "node", "package.json"));
	const sherpa = require("sherpa-onnx-node") as SherpaOnnx;
	const names = readdirSync(folder);
	const pathOf = (part: string) =>
		join(folder, names.find((it) => it.startsWith(part)) ?? part);
	const config = {
		featConfig: { sampleRate: sampleRateHz, featureDim: peer.mels ?? 80 },
		modelConfig: {
			tokens: join(folder, "tokens.txt"),
			numThreads: threads,
			provider: "cpu",
			...(peer.modelType && { modelType: peer.modelType }),
			[peer.config]: {
				...Object.fromEntries(
					Object.entries(peer.files).map(([key, part]) => [key, pathOf(part)]),
				),
				...peer.more,
			},
		},
		decodingMethod: beam === 1 ? "greedy_search" : "modified_beam_search",
		maxActivePaths: beam,
	};
	return peer.streams
		? new sherpa.OnlineRecognizer(config)
		: new sherpa.OfflineRecognizer(config);
}

/** @param pieceSamples what a stream gets at once. */
export function decodeWithSherpa(
	recognizer: SherpaRecognizer,
	peer: SherpaPeer,
	samples: Float32Array,
	pieceSamples: number,
): SherpaResult {
	const stream = recognizer.createStream();
	const sampleRate = sampleRateHz;
	if (peer.streams) {
		for (let at = 0; at < samples.length; at += pieceSamples) {
			const part = samples.slice(at, at + pieceSamples);
			stream.acceptWaveform({ sampleRate, samples: part });
			while (recognizer.isReady(stream)) recognizer.decode(stream);
		}
		const { tailSeconds = tailSecondsUsual } = peer;
		const tail = new Float32Array(Math.round(tailSeconds * sampleRate));
		stream.acceptWaveform({ sampleRate, samples: tail });
		stream.inputFinished();
		while (recognizer.isReady(stream)) recognizer.decode(stream);
	} else {
		stream.acceptWaveform({ sampleRate, samples });
		recognizer.decode(stream);
	}
	return recognizer.getResult(stream);
}
