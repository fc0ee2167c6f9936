/**
 * The inputs of both earshot and sherpa-onnx: a tiny model of each kind, in the form in which models of that kind are published, and twenty pieces of speech.
 * Recorded by scripts/models/kind-answers.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readWav } from "../whisper/packages.js";
import { writeTinyCtc } from "./tiny/ctc.js";
import { writeFireRed } from "./tiny/fire-red.js";
import { writeMoonshineV1, writeMoonshineV2 } from "./tiny/moonshine.js";
import { writeTinyNemoTransducer } from "./tiny/nemo-transducer.js";
import { writeTinyParaformer } from "./tiny/paraformer.js";
import { writeTinyStreamingCtc } from "./tiny/streaming-ctc.js";
import { writeTinyStreamingParaformer } from "./tiny/streaming-paraformer.js";
import { writeTinyTransducer } from "./tiny/transducer.js";

export interface KindCase {
	readonly name: string;
	readonly write: (folder: string) => void;
	/** How sherpa-onnx is asked: the key of its configuration, and which files it takes. */
	readonly peer: {
		readonly config: string;
		readonly files: Readonly<Record<string, string>>;
		readonly streams?: boolean;
		/** Silence after a stream. Default: 0.5. */
		readonly tailSeconds?: number;
		/** Widths of beams that it searches with; 1 is greedy search. */
		readonly beams?: readonly number[];
		readonly modelType?: string;
		readonly mels?: number;
		/** It recognizes nothing in less than a second. */
		readonly longerPieces?: boolean;
	};
}

const transducerFiles = {
	encoder: "encoder",
	decoder: "decoder",
	joiner: "joiner",
} as const;
const modelFile = { model: "model" } as const;
const mergedFiles = {
	encoder: "encoder_model",
	mergedDecoder: "decoder_model_merged",
} as const;

export const kindCases: readonly KindCase[] = [
	{
		name: "tiny-transducer",
		write: (folder) => writeTinyTransducer(folder, "zipformer2", 11),
		peer: { config: "transducer", files: transducerFiles, beams: [1, 4] },
	},
	{
		name: "tiny-conformer",
		write: (folder) => writeTinyTransducer(folder, "conformer", 12),
		peer: { config: "transducer", files: transducerFiles, beams: [1, 4] },
	},
	{
		name: "tiny-nemo-tdt",
		write: (folder) => writeTinyNemoTransducer(folder, true, 23),
		peer: {
			config: "transducer",
			files: transducerFiles,
			mels: 128,
			modelType: "nemo_transducer",
		},
	},
	{
		name: "tiny-nemo-rnnt",
		write: (folder) => writeTinyNemoTransducer(folder, false, 14),
		peer: {
			config: "transducer",
			files: transducerFiles,
			modelType: "nemo_transducer",
		},
	},
	{
		name: "tiny-zipformer-ctc",
		write: (folder) => writeTinyCtc(folder, "zipformer", 15),
		peer: { config: "zipformerCtc", files: modelFile },
	},
	{
		name: "tiny-wenet-ctc",
		write: (folder) => writeTinyCtc(folder, "wenet", 31),
		peer: { config: "wenetCtc", files: modelFile },
	},
	{
		name: "tiny-nemo-ctc",
		write: (folder) => writeTinyCtc(folder, "nemo", 17),
		peer: { config: "nemoCtc", files: modelFile },
	},
	{
		name: "tiny-dolphin",
		write: (folder) => writeTinyCtc(folder, "dolphin", 18),
		peer: { config: "dolphin", files: modelFile },
	},
	{
		name: "tiny-fire-red-ctc",
		write: (folder) => writeTinyCtc(folder, "firered", 19),
		peer: { config: "fireRedAsrCtc", files: modelFile },
	},
	{
		name: "tiny-paraformer",
		write: (folder) => writeTinyParaformer(folder, 55),
		peer: { config: "paraformer", files: modelFile },
	},
	{
		name: "tiny-streaming-ctc",
		write: (folder) => writeTinyStreamingCtc(folder, 71),
		peer: {
			config: "zipformer2Ctc",
			streams: true,
			files: { model: "ctc" },
		},
	},
	{
		name: "tiny-streaming-paraformer",
		write: (folder) => writeTinyStreamingParaformer(folder, 81),
		peer: {
			config: "paraformer",
			streams: true,
			tailSeconds: 1.04,
			files: { encoder: "encoder", decoder: "decoder" },
		},
	},
	{
		name: "tiny-moonshine-v1",
		write: (folder) => writeMoonshineV1(folder, 61),
		peer: {
			config: "moonshine",
			files: {
				preprocessor: "preprocess",
				encoder: "encode",
				uncachedDecoder: "uncached_decode",
				cachedDecoder: "cached_decode",
			},
		},
	},
	{
		name: "tiny-moonshine-v2",
		write: (folder) => writeMoonshineV2(folder, 62, false),
		peer: { config: "moonshine", files: mergedFiles },
	},
	{
		name: "tiny-moonshine-v2-mask",
		write: (folder) => writeMoonshineV2(folder, 63, true),
		peer: { config: "moonshine", files: mergedFiles },
	},
	{
		name: "tiny-fire-red",
		write: (folder) => writeFireRed(folder, 64),
		peer: {
			config: "fireRedAsr",
			longerPieces: true,
			files: { encoder: "encoder", decoder: "decoder" },
		},
	},
];

/** Writes the models to a temporary folder. @returns the folder of each by name; `dispose` removes them. */
export function writtenCases(cases: readonly KindCase[] = kindCases): {
	folderOf: (name: string) => string;
	dispose: () => void;
} {
	const root = mkdtempSync(join(tmpdir(), "earshot-kinds-"));
	const folderOf = (name: string) => join(root, name);
	for (const { name, write } of cases) write(folderOf(name));
	return {
		folderOf,
		dispose: () => rmSync(root, { recursive: true, force: true }),
	};
}

const clips = [
	"en-librivox-0870",
	"en-librivox-0880",
	"en-librivox-0890",
	"en-librivox-0920",
	"en-librivox-0930",
	"ja-kokoro-meeting",
	"ja-kokoro-station",
	"ja-kokoro-weather",
] as const;
const pieceCount = 20;
/** Odd on purpose: frames and chunks end anywhere. */
const shortestPiece = 16_001;
const growth = 1777;

/** What makes each piece a little longer than a second. */
const surplus = 1_001;

/** Twenty pieces of speech of one to three seconds. @param longer none of them is shorter than a second */
export function speechPieces(longer = false): Float32Array[] {
	const speech = clips.map((clip) => readWav(`test/clips/${clip}.wav`));
	return Array.from({ length: pieceCount }, (_, i) => {
		const samples = speech[i % speech.length] as Float32Array;
		const length = shortestPiece + i * growth + (longer ? surplus : 0);
		const start = (i * 3_791) % Math.max(1, samples.length - length);
		return samples.slice(start, start + length);
	});
}

/** One recorded answer of sherpa-onnx. */
export interface KindAnswer {
	/** Index of the piece. */
	readonly piece: number;
	readonly beam: number;
	readonly tokens: readonly string[];
	/** When each token begins; empty where it does not say. */
	readonly seconds: readonly number[];
	/** Natural logarithm of each token's probability; empty where it does not say. */
	readonly logp: readonly number[];
}

/** By the case's name. */
export type KindAnswers = Readonly<Record<string, readonly KindAnswer[]>>;

/** One answer on one line: piece, beam, tokens, seconds, logp. */
const fieldsBetween = " ; ";
const tokensBetween = "|";

export function answerLine(answer: KindAnswer): string {
	const { piece, beam, tokens, seconds, logp } = answer;
	return [
		piece,
		beam,
		tokens.join(tokensBetween),
		seconds.join(" "),
		logp.join(" "),
	].join(fieldsBetween);
}

/** @param text of kind-answers.json. */
export function parseAnswers(text: string): KindAnswers {
	const lines = JSON.parse(text) as Readonly<Record<string, readonly string[]>>;
	return Object.fromEntries(
		Object.entries(lines).map(([name, all]) => [name, all.map(answerOf)]),
	);
}

function answerOf(line: string): KindAnswer {
	const [piece, beam, tokens, seconds, logp] = line.split(fieldsBetween);
	const parts = (text = "", between: string) =>
		text === "" ? [] : text.split(between);
	return {
		piece: Number(piece),
		beam: Number(beam),
		tokens: parts(tokens, tokensBetween),
		seconds: parts(seconds, " ").map(Number),
		logp: parts(logp, " ").map(Number),
	};
}
