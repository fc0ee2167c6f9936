/**
 * Paraformer (Gao et al. 2022, "Paraformer: Fast and Accurate Parallel Transformer for Non-autoregressive End-to-End Speech Recognition") on the graph that k2-fsa
 * publishes for sherpa-onnx: it counts the tokens in the audio by integrating weights until they fire (CIF) and decodes all of them at once.
 */
import { sampleRateHz } from "../../audio/sample-rate.js";
import { hopSeconds } from "../../features/filterbank-port.js";
import { sixteenBit } from "../../features/front-end.js";
import { StackedFbank } from "../../features/stacked-fbank.js";
import { type ScoredText, withHotwords } from "../favoured-tokens.js";
import {
	expectGraph,
	expectNormalization,
	expectSymbols,
} from "../graph-checks.js";
import type { InferencePort, InferenceSession } from "../inference-port.js";
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
import { SymbolTable } from "../writing/symbol-table.js";
import {
	bestOfPaths,
	followRows,
	type RowToken,
	startOfRows,
	textOfRows,
	tokensOfRows,
} from "./search.js";
import type { ParaformerShape } from "./shape.js";

export interface ParaformerSource {
	readonly shape: ParaformerShape;
	readonly modelPath: string;
	/** Contents of `tokens.txt`. */
	readonly tokens: string;
}

export const paraformerCapabilities: Capabilities = {
	...offlineCapabilities,
	search: "likeliest token of each place; beam search with hotwords",
};

const mels = 80;
/** The weights that fire are computed at three times the encoder's rate. */
const firesPerFrame = 3;
/** A weight that has reached this has fired. */
const fired = 1 - 1e-4;

export const openParaformer = offlineOpener(
	openParaformerModel,
	paraformerCapabilities,
);

/** @throws ModelFault when graph, symbols and shape do not match. */
export async function openParaformerModel(
	port: InferencePort,
	{ shape, tokens, modelPath }: ParaformerSource,
	options: { readonly threads: number },
): Promise<TokenModel> {
	const symbols = new SymbolTable(tokens, "words");
	expectSymbols(symbols, shape.vocabulary);
	const width = mels * shape.windowFrames;
	const { negativeMean, inverseDeviation } = shape;
	expectNormalization(negativeMean, inverseDeviation, width);
	const pooled = { ...options, memory: "pooled" } as const;
	return withGraph(port, modelPath, pooled, (session) => {
		expectGraph("the model", session, 2, 2);
		return new ParaformerModel(port, session, symbols, shape);
	});
}

class ParaformerModel implements TokenModel {
	readonly #port: InferencePort;
	readonly #session: InferenceSession;
	readonly #shape: ParaformerShape;
	readonly #features: StackedFbank;
	/** One run takes all the time: nothing is saved by sharing it. */
	readonly togetherMax = 1;

	constructor(
		port: InferencePort,
		session: InferenceSession,
		readonly symbols: SymbolTable,
		shape: ParaformerShape,
	) {
		this.#port = port;
		this.#session = session;
		this.#shape = shape;
		this.#features = new StackedFbank(
			{ ...shape, ...sixteenBit, mels },
			port.filterbank,
		);
	}

	close(): Promise<void> {
		return this.#session.close();
	}

	tokensOf(requests: readonly TokenRequest[]): Promise<readonly FoundTokens[]> {
		return oneByOne(requests, (request) => this.#tokensOf(request));
	}

	async #tokensOf(request: TokenRequest): Promise<FoundTokens> {
		const { samples, cancelled } = request;
		const { values, count, width } = this.#features.of(samples);
		if (count === 0) return [];
		const [x = "", lengths = ""] = this.#session.inputNames;
		const names = this.#session.outputNames;
		const [output = "", , , peakOutput] = names;
		const run = await this.#session
			.run(
				{
					[x]: this.#port.tensor("float32", values, [1, count, width]),
					[lengths]: lengthTensor(this.#port, this.#session, 1, count),
				},
				peakOutput === undefined ? [output] : [output, peakOutput],
			)
			.catch(undefinedWithoutTokens);
		if (!run) return [];
		const peaks = peakOutput === undefined ? undefined : run[peakOutput];
		const seconds = peaks ? this.#firings(peaks.data as Float32Array) : [];
		peaks?.dispose();
		const scores = new ScoreRows("the model", run[output]);
		try {
			return cancelled() ? "cancelled" : this.#search(scores, seconds, request);
		} finally {
			scores.dispose();
		}
	}

	#search(
		scores: ScoreRows,
		seconds: readonly number[],
		{ samples, bias, beam }: TokenRequest,
	): FoundTokens {
		const { count, width } = scores;
		if (count > 0) expectSymbols(this.symbols, width, true);
		const end = this.symbols.tokenOf("</s>");
		const rows = textOfRows(scores, count, end);
		const timed = (tokens: readonly RowToken[]): ScoredText => ({
			tokens: withTimes(tokens, seconds, samples.length / sampleRateHz),
			total: tokens.at(-1)?.total ?? 0,
		});
		const plain = timed(tokensOfRows(rows));
		if (!bias) return plain.tokens;
		const paths = followRows(startOfRows(bias), rows, { bias, beam });
		return withHotwords(plain, timed(bestOfPaths(paths, bias).tokens), bias);
	}

	/** When each token fired; the last firing is the end of the audio. */
	#firings(peaks: Float32Array): number[] {
		const secondsPerPeak = (this.#shape.hopFrames * hopSeconds) / firesPerFrame;
		const seconds: number[] = [];
		peaks.forEach((peak, i) => {
			if (peak > fired) seconds.push(i * secondsPerPeak);
		});
		return seconds.slice(0, -1);
	}
}

/**
 * The published graphs cannot run on audio in which no weight fires (a cough, a door): their decoder's padding gets a negative length. sherpa-onnx (its pull
 * request 307) and FunASR return an empty text then. Other errors, such as too little memory, stay errors.
 */
function undefinedWithoutTokens(error: unknown): undefined {
	if (error instanceof Error && negativeLength.test(error.message)) return;
	throw error;
}

/** What ONNX Runtime says of it: today, and in earlier releases. */
const negativeLength =
	/Tensor shape(\.Size\(\) must be >= 0| cannot contain any negative value)/;

/** Without a time for each token they are spread evenly. */
function withTimes(
	tokens: readonly RowToken[],
	seconds: readonly number[],
	duration: number,
) {
	const known = seconds.length === tokens.length;
	return tokens.map(({ token, logp, total }, i) => ({
		token,
		logp,
		total,
		seconds: known
			? (seconds[i] as number)
			: (i * duration) / Math.max(1, tokens.length),
	}));
}
