/**
 * An attention decoder of random weights: layers of self-attention over the tokens before, attention to the audio, and a feed-forward part, as the published ones
 * have. It moves along the audio at a fixed pace and ends a text after it, so that texts have the length of their audio; every state and place decides.
 */
import type {
	GraphBuilder,
	Value,
} from "../../../runtime/models/convert/graph-builder.js";
import { floats, type Random } from "./parts.js";

export interface DecoderSizes {
	readonly hidden: number;
	readonly heads: number;
	readonly layers: number;
	readonly inner: number;
	readonly vocabulary: number;
}

export interface Pace {
	/** Frames of the encoder that a token takes. */
	readonly framesPerToken: number;
	readonly endOfText: number;
	/** Tokens that must not be written: controls. */
	readonly unsaid: readonly number[];
}

export interface Cache {
	/** [rows, heads, places, width] */
	readonly keys: Value;
	readonly values: Value;
}

export interface LayerOptions {
	/** Where in the audio the token is: [1] float. */
	readonly place: Value;
	/** Added to the scores of places of the text that are not filled: [places]. */
	readonly unfilled?: Value;
	/** Added to those of frames that are not audio: [rows, 1, 1, frames], or 1 of them. */
	readonly masked?: Value;
}

/** How far attention reaches from its place, in frames. */
const reach = 6;
const never = -20;

export class TinyDecoder {
	readonly #graph: GraphBuilder;
	readonly #random: Random;
	readonly sizes: DecoderSizes;

	constructor(graph: GraphBuilder, sizes: DecoderSizes, random: Random) {
		this.#graph = graph;
		this.#random = random;
		this.sizes = sizes;
	}

	get width(): number {
		return this.sizes.hidden / this.sizes.heads;
	}

	/** @param tokens [1, 1], integers. @returns [1, 1, hidden] */
	embedded(tokens: Value): Value {
		const { vocabulary, hidden } = this.sizes;
		return this.#graph.op("Gather", [
			this.#weights("embedding", [vocabulary, hidden], 1),
			tokens,
		]);
	}

	/** Keys and values of a layer. @param x [1, places, hidden] */
	cacheOf(name: string, x: Value): Cache {
		return {
			keys: this.#heads(this.#projected(`${name}/k`, x)),
			values: this.#heads(this.#projected(`${name}/v`, x)),
		};
	}

	/**
	 * @param x [1, 1, hidden]. @param text with the keys and values of x.
	 */
	layer(
		name: string,
		x: Value,
		text: Cache,
		audio: Cache,
		{ unfilled, masked, place }: LayerOptions,
	): Value {
		const graph = this.#graph;
		const self = this.#attended(`${name}/self`, x, text, unfilled);
		const written = graph.op("Add", [x, self]);
		const near = this.#nearness(audio, place);
		const bias = masked ? graph.op("Add", [near, masked]) : near;
		const attended = this.#attended(`${name}/cross`, written, audio, bias);
		const both = graph.op("Add", [written, attended]);
		const wide = graph.op("Tanh", [
			graph.op("MatMul", [
				both,
				this.#weights(`${name}/wide`, [this.sizes.hidden, this.sizes.inner], 1),
			]),
		]);
		const narrow = graph.op("MatMul", [
			wide,
			this.#weights(`${name}/narrow`, [this.sizes.inner, this.sizes.hidden], 1),
		]);
		return graph.op("Add", [both, narrow]);
	}

	/** Scores of the next token, [rows, 1, vocabulary], with an end where the place is behind the audio. @param frames float, [1] or [rows, 1, 1] */
	scores(
		x: Value,
		place: Value,
		frames: Value,
		pace: Pace,
		output: Value,
	): void {
		const graph = this.#graph;
		const { hidden, vocabulary } = this.sizes;
		const plain = graph.op("MatMul", [
			x,
			this.#weights("scores", [hidden, vocabulary], 0.5),
		]);
		// above zero once the audio is behind it
		const beyond = graph.op("Sub", [place, frames]);
		const end = new Float32Array(vocabulary);
		end[pace.endOfText] = 1;
		const bias = new Float32Array(vocabulary);
		for (const token of pace.unsaid) bias[token] = never;
		graph.op(
			"Add",
			[
				graph.op("Add", [
					plain,
					graph.floats("unsaid", [vocabulary], () => bias),
				]),
				graph.op("Mul", [
					graph.op("Mul", [beyond, graph.float(4)]),
					graph.floats("end", [vocabulary], () => end),
				]),
			],
			{},
			output,
		);
	}

	/** Minus infinity, nearly, where places from `filled` on are not filled. @param filled [1] int64. @param places [1] int64 */
	unfilled(filled: Value, places: Value): Value {
		const graph = this.#graph;
		const at = graph.op("Cast", [this.#range(places)], { to: 7 });
		const isOpen = graph.op("GreaterOrEqual", [at, filled]);
		return graph.op("Mul", [
			graph.op("Cast", [isOpen], { to: 1 }),
			graph.float(-1e4),
		]);
	}

	/** The nearer a frame, the higher: [frames] */
	#nearness({ keys }: Cache, place: Value): Value {
		const graph = this.#graph;
		const at = graph.op("Cast", [this.#range(graph.dimension(keys, 2))], {
			to: 1,
		});
		const away = graph.op("Div", [
			graph.op("Sub", [at, place]),
			graph.float(reach),
		]);
		return graph.op("Neg", [graph.op("Mul", [away, away])]);
	}

	/** 0, 1, ... @param count [1] int64 */
	#range(count: Value): Value {
		const graph = this.#graph;
		const scalar = (value: Value) => graph.op("Squeeze", [value]);
		return graph.op("Range", [
			scalar(graph.ints(0)),
			scalar(count),
			scalar(graph.ints(1)),
		]);
	}

	#attended(name: string, x: Value, cache: Cache, bias?: Value): Value {
		const graph = this.#graph;
		const query = this.#heads(this.#projected(`${name}/q`, x));
		const turned = graph.op("Transpose", [cache.keys], { perm: [0, 1, 3, 2] });
		const plain = graph.op("Div", [
			graph.op("MatMul", [query, turned]),
			graph.float(Math.sqrt(this.width)),
		]);
		const scores = bias ? graph.op("Add", [plain, bias]) : plain;
		const weights = graph.op("Softmax", [scores], { axis: -1 });
		const mixed = graph.op("MatMul", [weights, cache.values]);
		const flat = graph.op("Reshape", [
			graph.op("Transpose", [mixed], { perm: [0, 2, 1, 3] }),
			graph.ints(0, -1, this.sizes.hidden),
		]);
		return graph.op("Tanh", [this.#projected(`${name}/o`, flat)]);
	}

	/** [1, places, hidden] to [1, heads, places, width] */
	#heads(x: Value): Value {
		const graph = this.#graph;
		return graph.op(
			"Transpose",
			[
				graph.op("Reshape", [
					x,
					graph.ints(0, -1, this.sizes.heads, this.width),
				]),
			],
			{ perm: [0, 2, 1, 3] },
		);
	}

	#projected(name: string, x: Value): Value {
		const { hidden } = this.sizes;
		return this.#graph.op("MatMul", [
			x,
			this.#weights(name, [hidden, hidden], 1.4),
		]);
	}

	/** @param gain of the layer: weights are the smaller the more inputs it adds. */
	#weights(name: string, dims: readonly number[], gain: number): Value {
		const inputs = name === "embedding" ? 1 : (dims[0] ?? 1);
		const scale = gain * Math.sqrt(3 / inputs);
		return floats(this.#graph, name, dims, scale, this.#random);
	}
}
