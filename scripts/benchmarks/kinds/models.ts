/** Models of random weights in the published layout, as large as real ones, for comparisons with sherpa-onnx where no real weights can be had. */
import type { DecoderSizes } from "../../../test/kinds/tiny/attention-decoder.js";
import {
	fireRedSymbols,
	writeFireRed,
} from "../../../test/kinds/tiny/fire-red.js";
import {
	moonshineSymbols,
	writeMoonshineV1,
	writeMoonshineV2,
} from "../../../test/kinds/tiny/moonshine.js";
import {
	streamingCtcSymbols,
	writeTinyStreamingCtc,
} from "../../../test/kinds/tiny/streaming-ctc.js";
import {
	streamingParaformerSymbols,
	writeTinyStreamingParaformer,
} from "../../../test/kinds/tiny/streaming-paraformer.js";

export interface MeasuredKind {
	readonly name: string;
	readonly write: (folder: string) => void;
	/** sherpa-onnx's configuration: its key, and how the names of the files begin. */
	readonly peer: {
		readonly config: string;
		readonly files: Readonly<Record<string, string>>;
		/** A streaming recognizer, and the silence after a segment. */
		readonly tailSeconds?: number;
	};
}

/** Moonshine tiny's decoder: 6 layers of 288, 32,768 tokens. */
const moonshineTiny: DecoderSizes = {
	...{ hidden: 288, heads: 8, layers: 6, inner: 1152 },
	vocabulary: 32_768,
};
/** A third of the layers and of the width of FireRedASR's, which has a billion weights; its tokens. */
const fireRedSmall: DecoderSizes = {
	...{ hidden: 512, heads: 8, layers: 6, inner: 2048 },
	vocabulary: 8667,
};
/** A zipformer's widest stacks and feed-forward layers, without its attention; 2,000 tokens, as k2-fsa's Chinese one. */
const zipformerDeep = { width: 512, inner: 1536, layers: 12 };
const zipformerTokens = { vocabulary: 2000 };
/** A third of the encoder's layers of the published one, without its attention; its decoder's states and tokens. */
const paraformerDeep = { hidden: 512, blocks: 16, layers: 16, inner: 2048 };
const paraformerTokens = { vocabulary: 8404 };
const seed = 71;

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

export const measuredKinds: readonly MeasuredKind[] = [
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
	{
		name: "streaming-ctc",
		write: (folder) =>
			writeTinyStreamingCtc(
				folder,
				seed,
				symbolsOf(streamingCtcSymbols, zipformerTokens),
				zipformerDeep,
			),
		peer: {
			...{ config: "zipformer2Ctc", files: { model: "ctc" } },
			tailSeconds: 0.5,
		},
	},
	{
		name: "streaming-paraformer",
		write: (folder) =>
			writeTinyStreamingParaformer(
				folder,
				seed,
				symbolsOf(streamingParaformerSymbols, paraformerTokens),
				paraformerDeep,
			),
		peer: {
			config: "paraformer",
			files: { encoder: "encoder", decoder: "decoder" },
			tailSeconds: 1.04,
		},
	},
];
