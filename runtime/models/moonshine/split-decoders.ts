/** The graphs of Moonshine's first form: a front end on samples, an encoder, a decoder for the first token, and one for those that have a past. */

import { expectGraph } from "../graph-checks.js";
import type {
	InferencePort,
	InferenceSession,
	Tensor,
} from "../inference-port.js";
import { onlyScores } from "../offline/decoder-scores.js";
import type {
	EncodedSegment,
	EncoderDecoder,
} from "../offline/encoder-decoder.js";
import { lengthTensor } from "../offline/length-tensor.js";
import { runInOrder } from "../offline/ordered-run.js";
import { OpenGraphs } from "../open-graphs.js";
import {
	endOfText,
	isLongEnough,
	startOfText,
	textTokensMax,
} from "./audio.js";

export interface SplitPaths {
	readonly preprocess: string;
	readonly encode: string;
	readonly uncachedDecode: string;
	readonly cachedDecode: string;
}

interface Graphs {
	readonly preprocess: InferenceSession;
	readonly encode: InferenceSession;
	readonly first: InferenceSession;
	readonly next: InferenceSession;
	close(): Promise<void>;
}

/** After some tokens. */
interface State {
	readonly past: readonly Tensor[];
	readonly tokens: number;
}

/** @throws ModelFault when a graph is not what its name says */
export function openSplitDecoders(
	port: InferencePort,
	paths: SplitPaths,
	options: { readonly threads: number },
): Promise<EncoderDecoder> {
	return OpenGraphs.with(port, options, async (graphs) => {
		const preprocess = await graphs.open(paths.preprocess);
		expectGraph("preprocess", preprocess, 1, 1);
		const encode = await graphs.open(paths.encode);
		expectGraph("encode", encode, 2, 1);
		const first = await graphs.open(paths.uncachedDecode);
		expectGraph("uncached_decode", first, 3, 2);
		const next = await graphs.open(paths.cachedDecode);
		const states = first.outputNames.length - 1;
		expectGraph("cached_decode", next, 3 + states, 1 + states);
		const close = () => graphs.close();
		return new SplitDecoders(port, { preprocess, encode, first, next, close });
	});
}

class SplitDecoders implements EncoderDecoder {
	readonly #port: InferencePort;
	readonly #graphs: Graphs;
	readonly startOfText = startOfText;
	readonly endOfText = endOfText;

	constructor(port: InferencePort, graphs: Graphs) {
		this.#port = port;
		this.#graphs = graphs;
	}

	close(): Promise<void> {
		return this.#graphs.close();
	}

	async encode(samples: Float32Array): Promise<EncodedSegment | undefined> {
		if (!isLongEnough(samples)) return undefined;
		const encoded = await this.#encoded(samples);
		return {
			tokensMax: textTokensMax(encoded.dims[1] ?? 0),
			step: (state, token) =>
				this.#step(encoded, state as State | undefined, token),
			release: (state) => {
				for (const tensor of (state as State).past) tensor.dispose();
			},
			close: () => encoded.dispose(),
		};
	}

	/** @returns [1, frames, width], in the runtime's memory */
	async #encoded(samples: Float32Array): Promise<Tensor> {
		const { preprocess, encode } = this.#graphs;
		const audio = this.#port.tensor("float32", samples, [1, samples.length]);
		const [features] = (await runInOrder(preprocess, [audio], 1)) as [Tensor];
		try {
			const frames = features.dims[1] ?? 0;
			const length = lengthTensor(this.#port, encode, 1, frames);
			const found = await runInOrder(encode, [features, length], 1);
			return found[0] as Tensor;
		} finally {
			features.dispose();
		}
	}

	async #step(encoded: Tensor, state: State | undefined, token: number) {
		const graph = state ? this.#graphs.next : this.#graphs.first;
		const tokens = (state?.tokens ?? 0) + 1;
		const [scores, ...past] = await runInOrder(graph, [
			lengthTensor(this.#port, graph, 0, token, [1, 1]),
			encoded,
			lengthTensor(this.#port, graph, 2, tokens),
			...(state?.past ?? []),
		]);
		return { scores: onlyScores(scores), state: { past, tokens } };
	}
}
