/**
 * The graphs of Moonshine's second form, as optimum exports models of transformers: an encoder on samples, and one decoder for the first token and those that have
 * a past. A layer's past is four tensors, [1, heads, places, width]: keys and values of the text, then keys and values of the audio, which only the first step
 * returns.
 */
import type {
	InferencePort,
	InferenceSession,
	Tensor,
} from "../inference-port.js";
import { ModelFault } from "../model-fault.js";
import { lastScores } from "../offline/decoder-scores.js";
import type {
	EncodedSegment,
	EncoderDecoder,
} from "../offline/encoder-decoder.js";
import { expectGraph } from "../offline/graph-inputs.js";
import { lengthTensor } from "../offline/length-tensor.js";
import { OpenGraphs } from "../offline/open-graphs.js";
import { runInOrder } from "../offline/ordered-run.js";
import {
	endOfText,
	isLongEnough,
	samplesPerFrame,
	startOfText,
	textTokensMax,
} from "./audio.js";

export interface MergedPaths {
	readonly encoder: string;
	readonly decoder: string;
}

/** Tensors of a layer's past. */
const pastOfLayer = 4;
const maskName = "encoder_attention_mask";

/** The decoder's inputs: with or without a mask, tokens, the encoded audio, the past, and whether there is one. */
interface DecoderForm {
	readonly hasMask: boolean;
	readonly layers: number;
	/** Of a tensor of the past without places. */
	readonly emptyDims: readonly number[];
}

interface Graphs {
	readonly encoder: InferenceSession;
	readonly decoder: InferenceSession;
	close(): Promise<void>;
}

/** Of an encoded segment. */
interface Audio {
	/** [1, frames, width] */
	readonly encoded: Tensor;
	readonly mask: readonly Tensor[];
	/** Keys and values of the audio by layer, after the first step. */
	past: readonly Tensor[] | undefined;
}

/** After some tokens: keys and values of the text, two tensors for each layer. */
type State = readonly Tensor[];

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

/** @throws ModelFault when it is no merged decoder */
function formOf(decoder: InferenceSession): DecoderForm {
	const { inputs, inputNames, outputNames } = decoder;
	const hasMask = inputNames[0]?.includes(maskName) ?? false;
	const others = hasMask ? 4 : 3;
	const layers = Math.floor((inputNames.length - others) / pastOfLayer);
	const past = inputs[others - 1];
	const [, heads, , width] = past?.dims ?? [];
	const fits =
		layers > 0 &&
		inputNames.length === others + layers * pastOfLayer &&
		outputNames.length === 1 + layers * pastOfLayer &&
		inputs.at(-1)?.type === "bool" &&
		typeof heads === "number" &&
		typeof width === "number";
	if (!fits)
		throw new ModelFault(
			`the decoder is another graph than expected: it has the inputs ${inputNames.join(", ")} and the outputs ${outputNames.join(", ")}, not those of a merged decoder`,
		);
	return { hasMask, layers, emptyDims: [1, heads, 0, width] };
}

class MergedDecoder implements EncoderDecoder {
	readonly #port: InferencePort;
	readonly #graphs: Graphs;
	readonly #form: DecoderForm;
	readonly startOfText = startOfText;
	readonly endOfText = endOfText;

	constructor(port: InferencePort, graphs: Graphs, form: DecoderForm) {
		this.#port = port;
		this.#graphs = graphs;
		this.#form = form;
	}

	close(): Promise<void> {
		return this.#graphs.close();
	}

	async encode(samples: Float32Array): Promise<EncodedSegment | undefined> {
		if (!isLongEnough(samples)) return undefined;
		const { encoder } = this.#graphs;
		const inputs = [
			this.#port.tensor("float32", samples, [1, samples.length]),
			this.#ones(samples.length),
		];
		const wanted = inputs.slice(0, encoder.inputNames.length);
		const [encoded] = (await runInOrder(encoder, wanted, 1)) as [Tensor];
		const frames = encoded.dims[1] ?? 0;
		// the graph takes every 384th of a mask of samples
		const mask = this.#form.hasMask
			? [this.#ones(frames * samplesPerFrame)]
			: [];
		const audio: Audio = { encoded, mask, past: undefined };
		return {
			tokensMax: textTokensMax(frames),
			step: (state, token) =>
				this.#step(audio, state as State | undefined, token),
			release: (state) => disposeAll(state as State),
			close: () => disposeAll([encoded, ...(audio.past ?? [])]),
		};
	}

	async #step(audio: Audio, state: State | undefined, token: number) {
		const { decoder } = this.#graphs;
		const place = audio.mask.length;
		const usesPast = this.#port.tensor(
			"bool",
			Uint8Array.of(state ? 1 : 0),
			[1],
		);
		const [scores, ...present] = await runInOrder(decoder, [
			...audio.mask,
			lengthTensor(this.#port, decoder, place, token, [1, 1]),
			audio.encoded,
			...this.#past(audio.past, state),
			usesPast,
		]);
		const ofText = present.filter((_, i) => i % pastOfLayer < 2);
		const ofAudio = present.filter((_, i) => i % pastOfLayer >= 2);
		if (audio.past) disposeAll(ofAudio);
		else audio.past = ofAudio;
		return { scores: lastScores(scores), state: ofText };
	}

	/** In the order of the graph's inputs. */
	#past(ofAudio: readonly Tensor[] = [], ofText: State = []): Tensor[] {
		const { layers, emptyDims } = this.#form;
		const empty = () =>
			this.#port.tensor("float32", new Float32Array(0), emptyDims);
		const tensors = (of: readonly Tensor[], layer: number) => [
			of[2 * layer] ?? empty(),
			of[2 * layer + 1] ?? empty(),
		];
		return Array.from({ length: layers }, (_, layer) => [
			...tensors(ofText, layer),
			...tensors(ofText.length > 0 ? ofAudio : [], layer),
		]).flat();
	}

	#ones(length: number): Tensor {
		return this.#port.tensor("int64", new BigInt64Array(length).fill(1n), [
			1,
			length,
		]);
	}
}

function disposeAll(tensors: readonly Tensor[]): void {
	for (const tensor of tensors) tensor.dispose();
}
