/**
 * Runs a converted model before it is accepted: the encoder processes a little noise, the decoder a prompt and a step of two rows, and the outputs are
 * checked for consistency.
 */
import type {
	InferencePort,
	InferenceSession,
	Tensor,
	TensorData,
	TensorType,
} from "../inference-port.js";
import { decoderNames, encoderNames, layerName } from "../whisper/graphs.js";
import { badSource } from "./weights.js";
import { headSize, type Sizes } from "./whisper-sizes.js";

const frames = 100;
const threads = 1;
/** Between a log-probability among the best and the same one requested by its id. */
const tolerance = 1e-3;

type Feeds = Record<string, Tensor>;

/** @throws SourceError when the graphs don't run, or their outputs are inconsistent. */
export async function checkGraphs(
	port: InferencePort,
	encoderPath: string,
	decoderPath: string,
	sizes: Sizes,
): Promise<void> {
	const encoder = await port.open(encoderPath, { threads });
	try {
		const cross = await encodeNoise(port, encoder, sizes);
		const decoder = await port.open(decoderPath, { threads });
		try {
			await decodeTwice(port, decoder, sizes, cross);
		} finally {
			for (const tensor of Object.values(cross)) tensor.dispose();
			await decoder.close();
		}
	} finally {
		await encoder.close();
	}
}

async function encodeNoise(
	port: InferencePort,
	encoder: InferenceSession,
	{ mels }: Sizes,
): Promise<Feeds> {
	const noise = Float32Array.from(
		{ length: mels * frames },
		(_, i) => Math.sin(i * i) / 2, // any fixed values in the range of log-mel
	);
	const mel = port.tensor("float32", noise, [1, mels, frames]);
	const cross = await encoder.run(
		{ [encoderNames.mel]: mel },
		encoder.outputNames,
	);
	for (const [name, { data }] of Object.entries(cross)) checkAll(name, data);
	return cross;
}

async function decodeTwice(
	port: InferencePort,
	decoder: InferenceSession,
	sizes: Sizes,
	cross: Feeds,
): Promise<void> {
	const ints = (values: number[], dims: number[]) =>
		port.tensor("int32", Int32Array.from(values), dims);
	const start = sizes.vocabulary - 1; // an arbitrary token
	const first = await decoder.run(
		{
			...cross,
			...emptyPast(port, sizes),
			...common(port, sizes),
			[decoderNames.tokens]: ints([start, 0, 1], [1, 3]),
			[decoderNames.parents]: ints([0], [1]),
			[decoderNames.positions]: ints([2], [1]),
			[decoderNames.extraIds]: ints([5], [1, 1, 1]),
		},
		decoder.outputNames,
	);
	const best = Array.from(numbers(first, decoderNames.topIds).slice(0, 2));
	const second = await decoder.run(
		{
			...cross,
			...presentAsPast(first, sizes),
			...common(port, sizes),
			[decoderNames.tokens]: ints(best, [2, 1]),
			[decoderNames.parents]: ints([0, 0], [2]),
			[decoderNames.positions]: ints([0], [1]),
			[decoderNames.extraIds]: ints(best, [2, 1, 1]),
		},
		decoder.outputNames,
	);
	checkBest(first);
	checkBest(second);
	checkExtra(second, best);
	for (const tensor of [...Object.values(first), ...Object.values(second)])
		tensor.dispose();
}

function common(port: InferencePort, { vocabulary }: Sizes): Feeds {
	const zeros = new Float32Array(vocabulary);
	const positions = frames / 2;
	return {
		[decoderNames.bias]: port.tensor("float32", zeros, [vocabulary]),
		[decoderNames.crossBias]: port.tensor(
			"float32",
			new Float32Array(positions),
			[1, positions],
		),
	};
}

function emptyPast(port: InferencePort, sizes: Sizes): Feeds {
	const dims = [1, sizes.heads, 0, headSize];
	const empty = (type: TensorType) =>
		port.tensor(type, new Float32Array(0), dims);
	const past: Feeds = {};
	for (let layer = 0; layer < sizes.decoderLayers; layer++) {
		past[layerName("past_k", layer)] = empty("float32");
		past[layerName("past_v", layer)] = empty("float32");
	}
	return past;
}

function presentAsPast(outputs: Feeds, { decoderLayers }: Sizes): Feeds {
	const past: Feeds = {};
	for (let layer = 0; layer < decoderLayers; layer++)
		for (const [from, to] of [
			["present_k", "past_k"],
			["present_v", "past_v"],
		] as const)
			past[layerName(to, layer)] = outputs[layerName(from, layer)] as Tensor;
	return past;
}

/** Log-probabilities must be at most 0 and in descending order. */
function checkBest(outputs: Feeds): void {
	const best = numbers(outputs, decoderNames.topLogp);
	checkAll(decoderNames.topLogp, best);
	checkAll(decoderNames.alignment, numbers(outputs, decoderNames.alignment));
	const width = outputs[decoderNames.topLogp]?.dims[2] ?? 0;
	for (let i = 0; i < best.length; i++)
		if (at(best, i) > 0 || (i % width > 0 && at(best, i) > at(best, i - 1)))
			throw broken("log-probabilities are not in order");
}

/** Requested ids must have the same log-probabilities as among the best. */
function checkExtra(outputs: Feeds, requestedIds: readonly number[]): void {
	const best = numbers(outputs, decoderNames.topLogp);
	const ids = numbers(outputs, decoderNames.topIds);
	const extra = numbers(outputs, decoderNames.extraLogp);
	for (const [row, id] of requestedIds.entries()) {
		const width = ids.length / requestedIds.length;
		const place = ids.slice(row * width, (row + 1) * width).indexOf(id);
		const listed = place < 0 ? at(extra, row) : at(best, row * width + place);
		if (!(Math.abs(at(extra, row) - listed) < tolerance))
			throw broken("scores requested by id differ from the best");
	}
}

function numbers(outputs: Feeds, name: string): Float32Array | Int32Array {
	return outputs[name]?.data as Float32Array | Int32Array;
}

function at(values: ArrayLike<number>, index: number): number {
	return values[index] ?? Number.NaN;
}

function checkAll(name: string, data: TensorData): void {
	for (const value of data)
		if (!Number.isFinite(Number(value)))
			throw broken(`${name} contains a value that is not finite`);
}

function broken(what: string): Error {
	return badSource(
		`the converted model does not work (${what}); the source is damaged or of an unsupported kind`,
	);
}
