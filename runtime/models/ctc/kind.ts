/** An offline CTC model as published for sherpa-onnx. */
import { fireRedLanguages } from "../fire-red/languages.js";
import {
	type GraphMetadata,
	modelKind,
	type PublishedFolder,
	type PublishedKind,
} from "../model-kind.js";
import { openWithTokens } from "../model-opener.js";
import {
	hasCaches,
	streamingForm,
	unsupportedFeatures,
	wrongSymbolCount,
} from "../published-checks.js";
import { languagesOf } from "../writing/symbol-languages.js";
import { SymbolTable } from "../writing/symbol-table.js";
import { blankOf } from "./blank.js";
import { type CtcShape, ctcShapeSchema } from "./shape.js";

type Toolkit = CtcShape["toolkit"];

/** By `model_type`. */
const toolkitOf: Readonly<Record<string, Toolkit>> = {
	zipformer2_ctc: "icefall",
	wenet_ctc: "wenet",
	EncDecCTCModelBPE: "nemo-ctc",
	EncDecCTCModel: "nemo-ctc",
	EncDecHybridRNNTCTCBPEModel: "nemo-ctc",
	dolphin: "dolphin",
	"fire-red-asr-2-ctc": "firered",
};
/** Names of the means and the inverse deviations of features in the metadata. */
const normalizationOf: Readonly<
	Partial<Record<Toolkit, readonly [mean: string, inverseDeviation: string]>>
> = {
	dolphin: ["mean", "invstd"],
	firered: ["cmvn_mean", "cmvn_inv_stddev"],
};
/** Of models that symbols do not tell: Dolphin's are those of forty languages, and of English letters that it does not know as English. */
const trainedLanguages: Readonly<Partial<Record<Toolkit, readonly string[]>>> =
	{
		dolphin: ["zh-cmn-Hans-CN", "ja-JP"],
		firered: fireRedLanguages,
	};
const usualSubsampling = 4;

/** A streaming WeNet model has the same type, and chunks; one of NeMo has caches. */
const published: PublishedKind<CtcShape> = {
	graph: "model",
	types: Object.keys(toolkitOf),
	suits: (model) => !model.has("chunk_size") && !hasCaches(model),
	unsuited: streamingForm,
	read: async (folder, model) => {
		const toolkit = toolkitOf[model.text("model_type")] as Toolkit;
		const normalization = normalizationOf[toolkit];
		const wrong = whyUnsuitable(folder, model, toolkit);
		if (wrong !== undefined) return { unsuitable: wrong };
		return {
			languages: trainedLanguages[toolkit] ?? languagesOf(folder.tokens),
			shape: {
				toolkit,
				mels: model.has("feat_dim") ? model.integer("feat_dim") : 80,
				subsampling: model.has("subsampling_factor")
					? model.integer("subsampling_factor")
					: usualSubsampling,
				perFeature: model.text("normalize_type") === "per_feature",
				...(normalization && {
					mean: model.numbers(normalization[0]),
					inverseDeviation: model.numbers(normalization[1]),
				}),
			},
			files: {
				"model.onnx": folder.pick("model", "int8"),
				"tokens.txt": "tokens.txt",
			},
		};
	},
};

function whyUnsuitable(
	{ tokens }: PublishedFolder,
	model: GraphMetadata,
	toolkit: Toolkit,
): string | undefined {
	if (blankOf(new SymbolTable(tokens)) === undefined)
		return "tokens.txt has no <blk>, <eps> or <blank>";
	const unsupported = unsupportedFeatures(model);
	if (unsupported || !model.has("vocab_size")) return unsupported;
	// NeMo does not count the blank
	const vocabulary =
		model.integer("vocab_size") + (toolkit === "nemo-ctc" ? 1 : 0);
	return wrongSymbolCount(tokens, vocabulary);
}

export const ctc = modelKind({
	name: "ctc",
	files: ["model.onnx", "tokens.txt"],
	shape: { key: "ctc", schema: ctcShapeSchema },
	published,
	open: openWithTokens(
		async () => (await import("./recognizer.js")).openCtc,
		(path) => ({ modelPath: path("model.onnx") }),
	),
});
