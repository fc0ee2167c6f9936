/**
 * A Whisper with random weights, small enough for a plain implementation, written in both supported formats. The weights are float16 values, so that
 * every format represents them exactly.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
	narrowToHalf,
	widenHalf,
} from "../../runtime/models/convert/weights.js";

export const tiny = {
	mels: 80,
	state: 128,
	heads: 2,
	encoderLayers: 2,
	decoderLayers: 3,
	vocabulary: 51_865,
} as const;

export type TensorOf = {
	readonly dims: readonly number[];
	readonly values: Float32Array;
};
/** By CTranslate2's names. */
export type Weights = ReadonlyMap<string, TensorOf>;

const made = new Map<number, Weights>();

/** The same object for the same seed: its seven million numbers take a second to make. */
export function randomWeights(seed: number): Weights {
	const weights = made.get(seed) ?? makeWeights(seed);
	made.set(seed, weights);
	return weights;
}

function makeWeights(seed: number): Weights {
	const random = gaussian(seed);
	const weights = new Map<string, TensorOf>();
	const add = (name: string, dims: number[], spread: number, centre = 0) => {
		const size = dims.reduce((product, dim) => product * dim, 1);
		const values = new Float32Array(size);
		for (let i = 0; i < size; i++) values[i] = centre + spread * random();
		weights.set(name, { dims, values: widenHalf(narrowToHalf(values)) });
	};
	const { state, mels, vocabulary } = tiny;
	const norm = (name: string) => {
		add(`${name}/gamma`, [state], 0.3, 1);
		add(`${name}/beta`, [state], 0.2);
	};
	const linear = (name: string, rows: number, columns: number) => {
		add(`${name}/weight`, [rows, columns], 1.2 / Math.sqrt(columns));
		add(`${name}/bias`, [rows], 0.1);
	};
	const noKeyBias = (name: string, from: number) => {
		const bias = weights.get(`${name}/bias`);
		bias?.values.fill(0, from, from + state);
	};
	const layer = (name: string) => {
		norm(`${name}/self_attention/layer_norm`);
		linear(`${name}/self_attention/linear_0`, 3 * state, state);
		noKeyBias(`${name}/self_attention/linear_0`, state);
		linear(`${name}/self_attention/linear_1`, state, state);
		norm(`${name}/ffn/layer_norm`);
		linear(`${name}/ffn/linear_0`, 4 * state, state);
		linear(`${name}/ffn/linear_1`, state, 4 * state);
	};
	add("encoder/conv1/weight", [state, mels, 3], 0.1);
	add("encoder/conv1/bias", [state], 0.1);
	add("encoder/conv2/weight", [state, state, 3], 0.1);
	add("encoder/conv2/bias", [state], 0.1);
	add("encoder/position_encodings/encodings", [1500, state], 0.5);
	for (let i = 0; i < tiny.encoderLayers; i++) layer(`encoder/layer_${i}`);
	norm("encoder/layer_norm");
	add("decoder/embeddings/weight", [vocabulary, state], 0.4);
	add("decoder/position_encodings/encodings", [448, state], 0.5);
	for (let i = 0; i < tiny.decoderLayers; i++) {
		const name = `decoder/layer_${i}`;
		layer(name);
		norm(`${name}/attention/layer_norm`);
		linear(`${name}/attention/linear_0`, state, state);
		linear(`${name}/attention/linear_1`, 2 * state, state);
		noKeyBias(`${name}/attention/linear_1`, 0);
		linear(`${name}/attention/linear_2`, state, state);
	}
	norm("decoder/layer_norm");
	return weights;
}

const settings = {
	alignment_heads: [
		[2, 0],
		[1, 1],
		[2, 1],
	],
	suppress: [1, 2, 7, 50_258],
	suppressFirst: [220, 50_257],
};

/** The same in the order of layers. */
export const watchedHeads = [
	[1, 1],
	[2, 0],
	[2, 1],
] as const;

export function writeCTranslate2(
	folder: string,
	weights: Weights,
	type: keyof typeof typeNumbers,
): void {
	mkdirSync(folder, { recursive: true });
	const pieces: Buffer[] = [u32(6), text("WhisperSpec"), u32(3)];
	const rows = [...weights].flatMap(([name, tensor]) =>
		variablesOf(name, tensor, type),
	);
	pieces.push(u32(rows.length), ...rows.flat());
	pieces.push(
		u32(1),
		text("decoder/projection/weight"),
		text("decoder/embeddings/weight"),
	);
	writeFileSync(join(folder, "model.bin"), Buffer.concat(pieces));
	writeJson(folder, "config.json", {
		alignment_heads: settings.alignment_heads,
		suppress_ids: settings.suppress,
		suppress_ids_begin: settings.suppressFirst,
	});
	writeJson(folder, "vocabulary.json", vocabulary());
}

const typeNumbers = { float32: 0, int8: 1, float16: 4, bfloat16: 5 };

function variablesOf(
	name: string,
	{ dims, values }: TensorOf,
	type: keyof typeof typeNumbers,
): Buffer[][] {
	// CTranslate2 quantises matrices only
	const own =
		type === "int8" && !(dims.length === 2 && name.endsWith("weight"))
			? "float32"
			: type;
	if (own !== "int8")
		return [variable(name, dims, own, bytesOf(inType(values, own)))];
	const columns = dims[1] ?? 1;
	const scales = new Float32Array(dims[0] ?? 0);
	const codes = new Int8Array(values.length);
	for (let row = 0; row < scales.length; row++) {
		const part = values.subarray(row * columns, (row + 1) * columns);
		const scale = Math.fround(
			127 / part.reduce((peak, one) => Math.max(peak, Math.abs(one)), 0),
		);
		scales[row] = scale;
		codes.set(
			part.map((one) => Math.round(one * scale)),
			row * columns,
		);
	}
	return [
		variable(name, dims, "int8", bytesOf(codes)),
		variable(`${name}_scale`, [scales.length], "float32", bytesOf(scales)),
	];
}

function inType(
	values: Float32Array,
	type: Exclude<keyof typeof typeNumbers, "int8">,
): Float32Array | Uint16Array {
	if (type === "float32") return values;
	return type === "float16" ? narrowToHalf(values) : upperHalves(values);
}

function variable(
	name: string,
	dims: readonly number[],
	type: keyof typeof typeNumbers,
	data: Buffer,
): Buffer[] {
	return [
		text(name),
		Buffer.of(dims.length),
		...dims.map(u32),
		Buffer.of(typeNumbers[type]),
		u32(data.length),
		data,
	];
}

export function writeSafetensors(
	folder: string,
	weights: Weights,
	type: "F32" | "F16" | "BF16",
): void {
	mkdirSync(folder, { recursive: true });
	const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
	const data: Buffer[] = [];
	let offset = 0;
	for (const [name, { dims, values }] of huggingFaceTensors(weights)) {
		const bytes = bytesOf(
			type === "F32"
				? values
				: type === "F16"
					? narrowToHalf(values)
					: upperHalves(values),
		);
		header[name] = {
			dtype: type,
			shape: dims,
			data_offsets: [offset, offset + bytes.length],
		};
		offset += bytes.length;
		data.push(bytes);
	}
	const json = Buffer.from(JSON.stringify(header));
	const length = Buffer.alloc(8);
	length.writeBigUInt64LE(BigInt(json.length));
	writeFileSync(
		join(folder, "model.safetensors"),
		Buffer.concat([length, json, ...data]),
	);
	writeJson(folder, "generation_config.json", {
		alignment_heads: settings.alignment_heads,
		suppress_tokens: settings.suppress,
		begin_suppress_tokens: settings.suppressFirst,
	});
	writeJson(
		folder,
		"vocab.json",
		Object.fromEntries(
			vocabulary()
				.slice(0, 50_257)
				.map((word, id) => [word, id]),
		),
	);
}

function upperHalves(values: Float32Array): Uint16Array {
	const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
	const halves = new Uint16Array(bits.length);
	for (let i = 0; i < bits.length; i++) halves[i] = (bits[i] as number) >>> 16;
	return halves;
}

const linearNames: Readonly<Record<string, readonly string[]>> = {
	"self_attention/linear_0": [
		"self_attn.q_proj",
		"self_attn.k_proj",
		"self_attn.v_proj",
	],
	"self_attention/linear_1": ["self_attn.out_proj"],
	"self_attention/layer_norm": ["self_attn_layer_norm"],
	"attention/linear_0": ["encoder_attn.q_proj"],
	"attention/linear_1": ["encoder_attn.k_proj", "encoder_attn.v_proj"],
	"attention/linear_2": ["encoder_attn.out_proj"],
	"attention/layer_norm": ["encoder_attn_layer_norm"],
	"ffn/layer_norm": ["final_layer_norm"],
	"ffn/linear_0": ["fc1"],
	"ffn/linear_1": ["fc2"],
};

function huggingFaceTensors(weights: Weights): [string, TensorOf][] {
	return [...weights].flatMap(
		([name, { dims, values }]): [string, TensorOf][] => {
			const parts = name.split("/");
			const kind =
				parts.at(-1) === "bias" || parts.at(-1) === "beta" ? "bias" : "weight";
			const layer = /^layer_(\d+)$/.exec(parts[1] ?? "");
			if (!layer) {
				const owner =
					parts[1] === "position_encodings"
						? "embed_positions"
						: parts[1] === "embeddings"
							? "embed_tokens"
							: parts[1];
				return [[`model.${parts[0]}.${owner}.${kind}`, { dims, values }]];
			}
			const names = linearNames[parts.slice(2, -1).join("/")] ?? [];
			const size = values.length / names.length;
			const partDims = [(dims[0] ?? 0) / names.length, ...dims.slice(1)];
			return names.flatMap((part, i): [string, TensorOf][] => {
				const isKeyBias = part.endsWith("k_proj") && kind === "bias";
				const own = values.slice(i * size, (i + 1) * size);
				return isKeyBias
					? []
					: [
							[
								`model.${parts[0]}.layers.${layer[1]}.${part}.${kind}`,
								{ dims: partDims, values: own },
							],
						];
			});
		},
	);
}

/** 256 bytes as GPT-2 spells them, then pairs and triples of printable ones. */
function vocabulary(): string[] {
	const printable = [
		...range(0x21, 0x7e),
		...range(0xa1, 0xac),
		...range(0xae, 0xff),
	];
	const others = range(256, 256 + 255 - printable.length);
	const letters = [...printable, ...others].map((code) =>
		String.fromCharCode(code),
	);
	const words = [...letters];
	for (let i = 0; words.length < 50_256; i++)
		words.push(
			`${letters[i % 94]}${letters[Math.floor(i / 94) % 94]}${letters[Math.floor(i / 94 / 94)]}`,
		);
	words.push("");
	while (words.length < tiny.vocabulary) words.push(`<|${words.length}|>`);
	return words;
}

function range(from: number, to: number): number[] {
	return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

function u32(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
}

function text(value: string): Buffer {
	const length = Buffer.alloc(2);
	length.writeUInt16LE(value.length + 1);
	return Buffer.concat([length, Buffer.from(`${value}\0`)]);
}

function bytesOf(array: ArrayBufferView): Buffer {
	return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

function writeJson(folder: string, name: string, value: unknown): void {
	writeFileSync(join(folder, name), JSON.stringify(value));
}

/** Box-Muller over mulberry32. */
function gaussian(seed: number): () => number {
	let state = seed;
	const uniform = () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
	return () =>
		Math.sqrt(-2 * Math.log(uniform() + 1e-12)) *
		Math.cos(2 * Math.PI * uniform());
}
