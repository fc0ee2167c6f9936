/** Moonshine: an encoder on samples and a decoder of text (Jeffries et al. 2024), in the two forms that k2-fsa publishes for sherpa-onnx. */
import type { InferencePort } from "../inference-port.js";
import { EncoderDecoderModel } from "../offline/encoder-decoder.js";
import { offlineCapabilities, offlineOpener } from "../offline/recognizer.js";
import type { TokenModel } from "../offline/token-model.js";
import type { Capabilities } from "../recognizer.js";
import { SymbolTable } from "../writing/symbol-table.js";
import { type MergedPaths, openMergedDecoder } from "./merged-decoder.js";
import { openSplitDecoders, type SplitPaths } from "./split-decoders.js";

export interface MoonshineSource {
	readonly paths:
		| ({ readonly decoders: "split" } & SplitPaths)
		| ({ readonly decoders: "merged" } & MergedPaths);
	/** Contents of `tokens.txt`; base64 with a merged decoder. */
	readonly tokens: string;
}

export const moonshineCapabilities: Capabilities = {
	...offlineCapabilities,
	search: "greedy; beam search with hotwords",
};

export const openMoonshine = offlineOpener(
	openMoonshineModel,
	moonshineCapabilities,
);

/** @throws ModelFault when a graph is not what its name says, or `tokens.txt` is no list of symbols. */
export async function openMoonshineModel(
	port: InferencePort,
	{ paths, tokens }: MoonshineSource,
	options: { readonly threads: number },
): Promise<TokenModel> {
	const isSplit = paths.decoders === "split";
	const symbols = new SymbolTable(tokens, "text", isSplit ? "plain" : "base64");
	const graphs = isSplit
		? await openSplitDecoders(port, paths, options)
		: await openMergedDecoder(port, paths, options);
	return new EncoderDecoderModel(graphs, symbols);
}
