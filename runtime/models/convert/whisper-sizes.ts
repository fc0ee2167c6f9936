/** The dimensions of a Whisper model, derived from its weights and checked for consistency. */
import type { Numerics } from "./numerics.js";
import { badSource, type WeightSource } from "./weights.js";

export type Sizes = {
	readonly mels: number;
	/** Model width. */
	readonly state: number;
	readonly heads: number;
	readonly encoderLayers: number;
	readonly decoderLayers: number;
	readonly vocabulary: number;
};

/** What a graph is built from. */
export type GraphPlan = {
	readonly source: WeightSource;
	readonly sizes: Sizes;
	readonly numerics: Numerics;
};

/** All Whisper models have this head size. */
export const headSize = 64;
const layersMax = 64;

export function whisperSizes(source: WeightSource): Sizes {
	const [state = 0, mels = 0] = source.dims("encoder/conv1/weight");
	const [vocabulary = 0] = source.dims("decoder/embeddings/weight");
	if (state === 0 || state % headSize !== 0)
		throw badSource(
			`${source.description}: a width of ${state} is not a multiple of ${headSize}; is this a Whisper model?`,
		);
	if (mels !== 80 && mels !== 128)
		throw badSource(
			`${source.description}: has ${mels} mels; Whisper has 80 or 128`,
		);
	const sizes = {
		mels,
		state,
		heads: state / headSize,
		encoderLayers: countLayers(source, "encoder"),
		decoderLayers: countLayers(source, "decoder"),
		vocabulary,
	};
	checkShapes(source, sizes);
	return sizes;
}

function countLayers(source: WeightSource, side: "encoder" | "decoder") {
	let count = 0;
	while (
		count < layersMax &&
		source.has(`${side}/layer_${count}/ffn/linear_0/weight`)
	)
		count++;
	if (count === 0)
		throw badSource(
			`${source.description}: no ${side} layers found; is this a Whisper model?`,
		);
	return count;
}

function checkShapes(source: WeightSource, sizes: Sizes): void {
	for (const [name, ...dims] of expectedShapes(source, sizes)) {
		const found = source.dims(name);
		if (found.join() !== dims.join())
			throw badSource(
				`${source.description}: ${name} is [${found}], expected [${dims}]; the file is damaged or not a Whisper model`,
			);
	}
}

type NamedShape = readonly [name: string, ...dims: number[]];

function expectedShapes(source: WeightSource, sizes: Sizes): NamedShape[] {
	const { state, mels, vocabulary, encoderLayers, decoderLayers } = sizes;
	const [positions = 0] = source.dims("encoder/position_encodings/encodings");
	const [textPositions = 0] = source.dims(
		"decoder/position_encodings/encodings",
	);
	return [
		["encoder/conv1/weight", state, mels, 3],
		["encoder/conv1/bias", state],
		["encoder/conv2/weight", state, state, 3],
		["encoder/conv2/bias", state],
		["encoder/position_encodings/encodings", positions, state],
		["decoder/position_encodings/encodings", textPositions, state],
		["decoder/embeddings/weight", vocabulary, state],
		...normShapes("encoder/layer_norm", state),
		...normShapes("decoder/layer_norm", state),
		...layers(encoderLayers, (i) => layerShapes(`encoder/layer_${i}`, state)),
		...layers(decoderLayers, (i) => [
			...layerShapes(`decoder/layer_${i}`, state),
			...normShapes(`decoder/layer_${i}/attention/layer_norm`, state),
			...linearShapes(`decoder/layer_${i}/attention/linear_0`, state, state),
			...linearShapes(
				`decoder/layer_${i}/attention/linear_1`,
				2 * state,
				state,
			),
			...linearShapes(`decoder/layer_${i}/attention/linear_2`, state, state),
		]),
	];
}

function layers(count: number, shapes: (i: number) => NamedShape[]) {
	return Array.from({ length: count }, (_, i) => shapes(i)).flat();
}

function layerShapes(name: string, state: number): NamedShape[] {
	return [
		...normShapes(`${name}/self_attention/layer_norm`, state),
		...linearShapes(`${name}/self_attention/linear_0`, 3 * state, state),
		...linearShapes(`${name}/self_attention/linear_1`, state, state),
		...normShapes(`${name}/ffn/layer_norm`, state),
		...linearShapes(`${name}/ffn/linear_0`, 4 * state, state),
		...linearShapes(`${name}/ffn/linear_1`, state, 4 * state),
	];
}

function normShapes(name: string, state: number): NamedShape[] {
	return [
		[`${name}/gamma`, state],
		[`${name}/beta`, state],
	];
}

function linearShapes(name: string, rows: number, columns: number) {
	const shapes: NamedShape[] = [
		[`${name}/weight`, rows, columns],
		[`${name}/bias`, rows],
	];
	return shapes;
}
