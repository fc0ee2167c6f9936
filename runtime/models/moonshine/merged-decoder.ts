/**
 * The graphs of Moonshine's second form, as optimum exports models of transformers: an encoder on samples, and one decoder for the first token and those that have
 * a past. A layer's past is four tensors, [1, heads, places, width]: keys and values of the text, then keys and values of the audio, which only the first step
 * returns.
 */

import { expectGraph } from "../graph-checks.js";
import type {
	InferencePort,
	InferenceSession,
	Tensor,
} from "../inference-port.js";
import { lastScores } from "../offline/decoder-scores.js";
import type {
	EncodedBatch,
	EncodedSegment,
	EncoderDecoder,
} from "../offline/encoder-decoder.js";
import { runInOrder } from "../offline/ordered-run.js";
import { OpenGraphs } from "../open-graphs.js";
import {
	endOfText,
	isLongEnough,
	samplesPerFrame,
	startOfText,
	textTokensMax,
} from "./audio.js";
import { type DecoderForm, formOf, pastOfLayer } from "./merged-form.js";

export interface MergedPaths {
	readonly encoder: string;
	readonly decoder: string;
}

interface Graphs {
	readonly encoder: InferenceSession;
	readonly decoder: InferenceSession;
	close(): Promise<void>;
}

/** One encoded segment, or several. */
interface Audio {
	readonly rows: number;
	/** [rows, frames, width] */
	readonly encoded: Tensor;
	/** [rows, samples], where the decoder takes it. */
	readonly mask: readonly Tensor[];
	/** Keys and values of the audio by layer, after the first step. */
	past: readonly Tensor[] | undefined;
}

/** After some tokens: keys and values of the text, two tensors for each layer. */
type State = readonly Tensor[];

/** Memory grows with it, and the gain of each further segment shrinks. */
const segmentsMax = 8;

/** @throws ModelFault when a graph is not what its name says */
export function openMergedDecoder(
	port: InferencePort,
	paths: MergedPaths,
	options: { readonly threads: number },
): Promise<EncoderDecoder> {
	return OpenGraphs.with(port, options, async (graphs) => {
		const encoder = await graphs.open(paths.encoder);
		if (encoder.inputNames.length !== 2)
			expectGraph("the encoder", encoder, 1, 1);
		const decoder = await graphs.open(paths.decoder);
		const form = formOf(decoder);
		const close = () => graphs.close();
		return new MergedDecoder(port, { encoder, decoder, close }, form);
	});
}

class MergedDecoder implements EncoderDecoder {
	readonly #port: InferencePort;
	readonly #graphs: Graphs;
	readonly #form: DecoderForm;
	readonly startOfText = startOfText;
	readonly endOfText = endOfText;
	readonly together: EncoderDecoder["together"];

	constructor(port: InferencePort, graphs: Graphs, form: DecoderForm) {
		this.#port = port;
		this.#graphs = graphs;
		this.#form = form;
		this.together = form.takesBatches
			? {
					segmentsMax,
					join: (segments) =>
						this.#joined(segments as readonly MergedSegment[]),
				}
			: undefined;
	}

	close(): Promise<void> {
		return this.#graphs.close();
	}

	async encode(samples: Float32Array): Promise<MergedSegment | undefined> {
		if (!isLongEnough(samples)) return undefined;
		const { encoder } = this.#graphs;
		const input = this.#port.tensor("float32", samples, [1, samples.length]);
		const inputs =
			encoder.inputNames.length > 1
				? [input, this.#mask([samples.length])]
				: [input];
		const [encoded] = (await runInOrder(encoder, inputs, 1)) as [Tensor];
		const frames = encoded.dims[1] ?? 0;
		const audio = this.#audio(encoded, [frames]);
		return {
			encoded,
			tokensMax: textTokensMax(frames),
			step: async (state, token) => {
				const next = await this.#step(audio, state as State | undefined, [
					token,
				]);
				return { scores: next.scores[0] as Float32Array, state: next.state };
			},
			release: (state) => disposeAll(state as State),
			close: () => disposeAll([encoded, ...(audio.past ?? [])]),
		};
	}

	/** Shorter segments are padded. */
	#joined(segments: readonly MergedSegment[]): EncodedBatch {
		const width = segments[0]?.encoded.dims[2] ?? 0;
		const frames = segments.map(({ encoded }) => encoded.dims[1] ?? 0);
		const longest = Math.max(...frames);
		const values = new Float32Array(segments.length * longest * width);
		for (const [row, { encoded }] of segments.entries())
			values.set(encoded.data as Float32Array, row * longest * width);
		const dims = [segments.length, longest, width];
		const padded = this.#port.tensor("float32", values, dims);
		const audio = this.#audio(padded, frames);
		return {
			step: async (state, tokens) => {
				try {
					return await this.#step(audio, state as State | undefined, tokens);
				} finally {
					if (state) disposeAll(state as State);
				}
			},
			release: (state) => disposeAll(state as State),
			close: () => disposeAll(audio.past ?? []),
		};
	}

	/** The graph takes every 384th of a mask of samples. */
	#audio(encoded: Tensor, frames: readonly number[]): Audio {
		const samples = frames.map((it) => it * samplesPerFrame);
		const mask = this.#form.hasMask ? [this.#mask(samples)] : [];
		return { rows: frames.length, encoded, mask, past: undefined };
	}

	async #step(
		audio: Audio,
		state: State | undefined,
		tokens: readonly number[],
	) {
		const { decoder } = this.#graphs;
		const usesPast = this.#port.tensor(
			"bool",
			Uint8Array.of(state ? 1 : 0),
			[1],
		);
		const [scores, ...present] = await runInOrder(decoder, [
			...audio.mask,
			this.#port.tensor("int64", BigInt64Array.from(tokens, BigInt), [
				audio.rows,
				1,
			]),
			audio.encoded,
			...this.#past(audio, state),
			usesPast,
		]);
		const ofText = present.filter((_, i) => i % pastOfLayer < 2);
		const ofAudio = present.filter((_, i) => i % pastOfLayer >= 2);
		if (audio.past) disposeAll(ofAudio);
		else audio.past = ofAudio;
		return { scores: lastScores(scores, audio.rows), state: ofText };
	}

	/** In the order of the graph's inputs. */
	#past({ rows, past: ofAudio = [] }: Audio, ofText: State = []): Tensor[] {
		const { layers, heads, width } = this.#form;
		const empty = () =>
			this.#port.tensor("float32", new Float32Array(0), [
				rows,
				heads,
				0,
				width,
			]);
		const tensors = (of: readonly Tensor[], layer: number) => [
			of[2 * layer] ?? empty(),
			of[2 * layer + 1] ?? empty(),
		];
		return Array.from({ length: layers }, (_, layer) => [
			...tensors(ofText, layer),
			...tensors(ofText.length > 0 ? ofAudio : [], layer),
		]).flat();
	}

	/** @param lengths of the rows. @returns ones, and zeros behind a row's length */
	#mask(lengths: readonly number[]): Tensor {
		const longest = Math.max(...lengths);
		const values = new BigInt64Array(lengths.length * longest);
		for (const [row, length] of lengths.entries())
			values.fill(1n, row * longest, row * longest + length);
		return this.#port.tensor("int64", values, [lengths.length, longest]);
	}
}

interface MergedSegment extends EncodedSegment {
	/** [1, frames, width] */
	readonly encoded: Tensor;
}

function disposeAll(tensors: readonly Tensor[]): void {
	for (const tensor of tensors) tensor.dispose();
}
