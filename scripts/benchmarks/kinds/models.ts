/** Models of random weights in the published layout, as large as real ones, for comparisons with sherpa-onnx where no real weights can be had. */
import { cpSync } from "node:fs";
import type { DecoderSizes } from "../../../test/kinds/tiny/attention-decoder.js";
import { writeTinyCtc } from "../../../test/kinds/tiny/ctc.js";
import {
	fireRedSymbols,
	writeFireRed,
} from "../../../test/kinds/tiny/fire-red.js";
import {
	moonshineSymbols,
	writeMoonshineV1,
	writeMoonshineV2,
} from "../../../test/kinds/tiny/moonshine.js";
import { writeTinyNemoTransducer } from "../../../test/kinds/tiny/nemo-transducer.js";
import { writeTinyParaformer } from "../../../test/kinds/tiny/paraformer.js";
import type { Ballast } from "../../../test/kinds/tiny/parts.js";
import {
	streamingCtcSymbols,
	writeTinyStreamingCtc,
} from "../../../test/kinds/tiny/streaming-ctc.js";
import {
	streamingParaformerSymbols,
	writeTinyStreamingParaformer,
} from "../../../test/kinds/tiny/streaming-paraformer.js";
import { writeTinyTransducer } from "../../../test/kinds/tiny/transducer.js";
import { writeTinySenseVoice } from "../../../test/published/tiny-sense-voice.js";
import { writeCtcOfEncoder } from "./ctc-of-encoder.js";
import type { SherpaPeer } from "./sherpa.js";

export interface MeasuredKind {
	readonly name: string;
	readonly write: (folder: string) => void;
	/** sherpa-onnx's configuration: its key, and how the names of the files begin. */
	readonly peer: SherpaPeer;
	/** Of earshot's search; sherpa-onnx has the same if it has one. Default: 5 and greedy search. */
	readonly beam?: number;
}

/** Moonshine tiny's decoder: 6 layers of 288, 32,768 tokens. */
const moonshineTiny: DecoderSizes = {
	hidden: 288,
	heads: 8,
	layers: 6,
	inner: 1152,
	vocabulary: 32_768,
};
/** A third of the layers and of the width of FireRedASR's, which has a billion weights; its tokens. */
const fireRedSmall: DecoderSizes = {
	hidden: 512,
	heads: 8,
	layers: 6,
	inner: 2048,
	vocabulary: 8667,
};
const seed = 71;
/** An encoder of 50 million weights, without attention: a third of what most published ones have. */
const encoder = { width: 512, layers: 24 } as const;
const ballast = (tokens: number): Ballast => ({ ...encoder, tokens });
const transducerFiles = {
	encoder: "encoder",
	decoder: "decoder",
	joiner: "joiner",
} as const;
const modelFile = { model: "model" } as const;

/** As many symbols as the model scores; those beyond `first` are words of their own. */
function symbolsOf(
	first: readonly string[],
	{ vocabulary }: Pick<DecoderSizes, "vocabulary">,
) {
	return Array.from(
		{ length: vocabulary },
		(_, i) =>
			first[i] ??
			`▁w${i.toString(26).replace(/\d/g, (it) => "qrstuvwxyz"[Number(it)] ?? "")}`,
	);
}

const ctcTokens = {
	zipformer: 2000,
	wenet: 5500,
	nemo: 1000,
	dolphin: 40_000,
	firered: 8600,
} as const;
const ctcPeers = {
	zipformer: "zipformerCtc",
	wenet: "wenetCtc",
	nemo: "nemoCtc",
	dolphin: "dolphin",
	firered: "fireRedAsrCtc",
} as const;

const ofMoonshine = symbolsOf(moonshineSymbols, moonshineTiny);
const mergedFiles = {
	encoder: "encoder_model",
	mergedDecoder: "decoder_model_merged",
} as const;
const fireRedPeer = {
	config: "fireRedAsr",
	files: { encoder: "encoder", decoder: "decoder" },
} as const;
const fireRedForm = {
	sizes: fireRedSmall,
	symbols: symbolsOf(fireRedSymbols, fireRedSmall),
	placesMax: 448,
} as const;

/** The one streaming model with real weights, and real speech. */
const realZipformer = "../shared/models/zipformer-zh-3.3M";

/** With as many tokens as published models of the kind have. */
export const measuredKinds: readonly MeasuredKind[] = [
	{
		name: "sense-voice",
		write: (folder) => writeTinySenseVoice(folder, seed, ballast(25_000)),
		peer: {
			config: "senseVoice",
			files: modelFile,
			more: { language: "en", useInverseTextNormalization: 1 },
		},
		beam: 1,
	},
	{
		name: "transducer",
		write: (folder) =>
			writeTinyTransducer(folder, "zipformer2", seed, ballast(5200)),
		peer: { config: "transducer", files: transducerFiles },
		beam: 4,
	},
	{
		name: "nemo-transducer with durations",
		write: (folder) =>
			writeTinyNemoTransducer(folder, true, seed, ballast(1000)),
		peer: {
			config: "transducer",
			files: transducerFiles,
			mels: 128,
			modelType: "nemo_transducer",
		},
		beam: 1,
	},
	...(["zipformer", "wenet", "nemo", "dolphin", "firered"] as const).map(
		(form): MeasuredKind => ({
			name: `ctc of ${form}`,
			write: (folder) =>
				writeTinyCtc(folder, form, seed, ballast(ctcTokens[form])),
			peer: { config: ctcPeers[form], files: modelFile },
			beam: 1,
		}),
	),
	{
		name: "paraformer",
		write: (folder) => writeTinyParaformer(folder, seed, ballast(8300)),
		peer: { config: "paraformer", files: modelFile },
		beam: 1,
	},
	{
		name: "streaming-ctc",
		write: (folder) =>
			writeTinyStreamingCtc(
				folder,
				seed,
				symbolsOf(streamingCtcSymbols, { vocabulary: 2000 }),
				{ width: 512, inner: 1536, layers: 12 },
			),
		peer: {
			config: "zipformer2Ctc",
			streams: true,
			files: { model: "ctc" },
		},
		beam: 1,
	},
	{
		name: "streaming-ctc with a real encoder",
		write: (folder) =>
			writeCtcOfEncoder(realZipformer, folder, {
				width: 320,
				seed,
				symbols: symbolsOf(streamingCtcSymbols, { vocabulary: 2000 }),
			}),
		peer: {
			config: "zipformer2Ctc",
			streams: true,
			files: { model: "ctc" },
		},
		beam: 1,
	},
	{
		name: "streaming-paraformer",
		write: (folder) =>
			writeTinyStreamingParaformer(
				folder,
				seed,
				symbolsOf(streamingParaformerSymbols, { vocabulary: 8404 }),
				{ hidden: 512, blocks: 16, layers: 16, inner: 2048 },
			),
		peer: {
			config: "paraformer",
			streams: true,
			tailSeconds: 1.04,
			files: { encoder: "encoder", decoder: "decoder" },
		},
		beam: 1,
	},
	{
		name: "zipformer",
		write: (folder) => cpSync(realZipformer, folder, { recursive: true }),
		peer: {
			config: "transducer",
			files: transducerFiles,
			streams: true,
		},
		beam: 4,
	},
	{
		name: "moonshine with two decoders",
		write: (folder) =>
			writeMoonshineV1(folder, seed, moonshineTiny, ofMoonshine),
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
		name: "moonshine with a merged decoder",
		write: (folder) =>
			writeMoonshineV2(folder, seed, true, moonshineTiny, ofMoonshine),
		peer: { config: "moonshine", files: mergedFiles },
	},
	{
		name: "fire-red (2025: a past of fixed size)",
		write: (folder) =>
			writeFireRed(folder, seed, { ...fireRedForm, anyPlaces: false }),
		peer: fireRedPeer,
	},
	{
		name: "fire-red (2026: of any size)",
		write: (folder) =>
			writeFireRed(folder, seed, { ...fireRedForm, anyPlaces: true }),
		peer: fireRedPeer,
	},
];
