/**
 * Offline CTC models as published for sherpa-onnx: one graph from features to scores of every token. Zipformer and WeNet, NeMo's Parakeet CTC and Citrinet,
 * Dolphin, FireRed; they differ in their features and in which token is the blank.
 */
import { hopSeconds } from "../../features/filterbank-port.js";
import {
	channelsFirst,
	type Frames,
	FrontEnd,
	type FrontEndOptions,
} from "../../features/front-end.js";
import {
	expectGraph,
	expectNormalization,
	expectSymbols,
} from "../graph-checks.js";
import type { InferencePort, InferenceSession } from "../inference-port.js";
import { featuresMin } from "../offline/encoded-frames.js";
import { lengthTensor } from "../offline/length-tensor.js";
import { offlineCapabilities, offlineOpener } from "../offline/recognizer.js";
import { ScoreRows } from "../offline/score-rows.js";
import {
	type FoundTokens,
	oneByOne,
	type TokenModel,
	type TokenRequest,
} from "../offline/token-model.js";
import { withGraph } from "../open-graphs.js";
import type { Capabilities } from "../recognizer.js";
import { SymbolTable, unitsOf } from "../writing/symbol-table.js";
import { expectBlank } from "./blank.js";
import { searchRows } from "./favouring-search.js";
import type { CtcShape } from "./shape.js";

export interface CtcSource {
	readonly shape: CtcShape;
	readonly modelPath: string;
	/** Contents of `tokens.txt`. */
	readonly tokens: string;
}

export const ctcCapabilities: Capabilities = {
	...offlineCapabilities,
	search: "CTC best path; prefix beam search with hotwords",
};

export const openCtc = offlineOpener(openCtcModel, ctcCapabilities);

/** @throws ModelFault when graph, symbols and shape do not match. */
export async function openCtcModel(
	port: InferencePort,
	{ shape, tokens, modelPath }: CtcSource,
	options: { readonly threads: number },
): Promise<TokenModel> {
	const symbols = new SymbolTable(tokens, unitsOf(tokens));
	const blank = expectBlank(symbols);
	const frontEnd = new FrontEnd(frontEndOf(shape), port.filterbank);
	const pooled = { ...options, memory: "pooled" } as const;
	return withGraph(port, modelPath, pooled, (session) => {
		// Dolphin's graph returns the scores only, NeMo's too
		expectGraph("the model", session, 2, 1);
		return new CtcModel(port, session, symbols, { shape, blank, frontEnd });
	});
}

function frontEndOf(shape: CtcShape): FrontEndOptions {
	const { toolkit, mels, perFeature, mean, inverseDeviation } = shape;
	if (!mean || !inverseDeviation)
		return {
			toolkit,
			mels,
			normalization: perFeature ? "per-feature" : "none",
		};
	expectNormalization(mean, inverseDeviation, mels);
	return { toolkit, mels, normalization: { mean, inverseDeviation } };
}

interface Rest {
	readonly shape: CtcShape;
	readonly blank: number;
	readonly frontEnd: FrontEnd;
}

class CtcModel implements TokenModel {
	readonly #port: InferencePort;
	readonly #session: InferenceSession;
	readonly #rest: Rest;
	/** One run takes all the time: nothing is saved by sharing it. */
	readonly togetherMax = 1;

	constructor(
		port: InferencePort,
		session: InferenceSession,
		readonly symbols: SymbolTable,
		rest: Rest,
	) {
		this.#port = port;
		this.#session = session;
		this.#rest = rest;
	}

	close(): Promise<void> {
		return this.#session.close();
	}

	tokensOf(requests: readonly TokenRequest[]): Promise<readonly FoundTokens[]> {
		return oneByOne(requests, (request) => this.#tokensOf(request));
	}

	async #tokensOf(request: TokenRequest): Promise<FoundTokens> {
		const { beam, bias, cancelled } = request;
		const { frontEnd, shape } = this.#rest;
		const features = frontEnd.of(request.samples);
		if (features.count < featuresMin) return [];
		const { table, rows } = await this.#scoresOf(features);
		try {
			if (cancelled()) return "cancelled";
			expectSymbols(this.symbols, table.width, true);
			const { blank } = this.#rest;
			const secondsPerRow = shape.subsampling * hopSeconds;
			return searchRows(
				{ table, blank, firstRow: 0, rows },
				{
					bias,
					beam,
					cancelled,
					secondsOf: ({ firstRow }) => firstRow * secondsPerRow,
				},
			);
		} finally {
			table.dispose();
		}
	}

	async #scoresOf(features: Frames) {
		const { shape } = this.#rest;
		const { values, count, width } = features;
		const turned = shape.toolkit === "nemo-ctc";
		const [x = "", lengths = ""] = this.#session.inputNames;
		const [output = "", outputLengths] = this.#session.outputNames;
		const found = await this.#session.run(
			{
				[x]: turned
					? this.#port.tensor("float32", channelsFirst(features), [
							1,
							width,
							count,
						])
					: this.#port.tensor("float32", values, [1, count, width]),
				[lengths]: lengthTensor(this.#port, this.#session, 1, count),
			},
			outputLengths === undefined ? [output] : [output, outputLengths],
		);
		const table = new ScoreRows(
			"the model",
			found[output],
			outputLengths === undefined ? undefined : found[outputLengths],
		);
		// NeMo's graph does not say how many of its rows are valid
		const rows = turned
			? Math.min(table.count, Math.floor(count / shape.subsampling))
			: table.count;
		return { table, rows };
	}
}
