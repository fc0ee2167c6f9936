/** Converted graphs of a random Whisper against a plain implementation of the same model. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import { convertModel } from "../../runtime/models/convert/convert.js";
import {
	type Quantization,
	storageFormats,
} from "../../runtime/models/convert/quantization.js";
import { CrossAttentionCache } from "../../runtime/models/whisper/cross-attention-cache.js";
import { type Cross, logSoftmax, NaiveWhisper } from "./naive-whisper.js";
import {
	floats,
	type Graphs,
	ids,
	type Outputs,
	openGraphs,
} from "./run-graphs.js";
import {
	randomWeights,
	tiny,
	watchedHeads,
	writeCTranslate2,
	writeSafetensors,
} from "./tiny-whisper.js";

const seed = 20_261_121;
t.comment(`seed ${seed}`);
const root = mkdtempSync(join(tmpdir(), "earshot-convert-"));
t.teardown(() => rmSync(root, { recursive: true }));
const weights = randomWeights(seed);
writeCTranslate2(join(root, "ct2"), weights, "float16");
writeSafetensors(join(root, "hf"), weights, "F32");

const frames = 40;
const mels = [0, 1].map((segment) =>
	Array.from({ length: tiny.mels }, (_, m) =>
		Float64Array.from({ length: frames }, (_, f) =>
			Math.fround(Math.sin(1 + segment + m * 0.7 + f * f * 0.05)),
		),
	),
);
const mel = Float32Array.from(
	mels.flatMap((one) => one.flatMap((row) => [...row])),
);
const naive = new NaiveWhisper(weights);
const crosses = mels.map((one) => naive.encode(one));

/** Two rows for each of two segments: a prompt of 3, then 2 more tokens with the rows of each segment crossed over. */
const prompts = [
	[50_258, 11, 400],
	[50_258, 12, 401],
	[50_258, 13, 402],
	[50_258, 14, 403],
];
const parents = [1, 0, 3, 2];
const next = [
	[7, 900],
	[8, 901],
	[9, 902],
	[10, 903],
];
const extraIds = [5, 51_864, 50_257];
const sequences = next.map((more, row) => [
	...(prompts[parents[row] as number] as number[]),
	...more,
]);
const expected = sequences.map((tokens, row) =>
	naive.decode(tokens, crosses[row >> 1] as Cross[]),
);

async function packageOf(
	source: "ct2" | "hf",
	name: string,
	quantization: Quantization,
	inlineBytesMax?: number,
) {
	const to = join(root, name);
	await convertModel(openOnnx(), {
		from: join(root, source),
		to,
		quantization,
		...(inlineBytesMax !== undefined && { inlineBytesMax }),
	});
	return to;
}

const converted = new Map<Quantization, Promise<string>>();

/** The same folder each time: from CTranslate2's format, nothing changed. */
function plainPackage(quantization: Quantization): Promise<string> {
	const folder =
		converted.get(quantization) ??
		packageOf("ct2", `plain-${quantization}`, quantization);
	converted.set(quantization, folder);
	return folder;
}

async function decoded(graphs: Graphs, cross: Outputs): Promise<Outputs> {
	const first = await graphs.step(cross, {
		tokens: prompts,
		parents: [0, 0, 0, 0],
		positions: [2],
	});
	return graphs.step(cross, {
		tokens: next,
		parents,
		positions: [0, 1],
		extra: extraIds,
		past: first,
	});
}

/** The requested log-probabilities of one row over one segment. */
async function decodedRow(graphs: Graphs, cross: Outputs) {
	const outputs = await graphs.step(cross, {
		tokens: prompts.slice(0, 1),
		parents: [0],
		positions: [2],
		extra: extraIds,
	});
	return floats(outputs, "extra_logp");
}

/** Root mean square of the differences of cross tensors, relative to the values. */
function crossError(cross: Outputs): number {
	let difference = 0;
	let total = 0;
	const { heads, decoderLayers } = tiny;
	const positions = frames / 2;
	for (let layer = 0; layer < decoderLayers; layer++)
		for (let a = 0; a < 2; a++) {
			const keys = floats(cross, `cross_k_${layer}`);
			const values = floats(cross, `cross_v_${layer}`);
			const truth = (crosses[a] as Cross[])[layer] as Cross;
			for (let h = 0; h < heads; h++)
				for (let s = 0; s < positions; s++)
					for (let d = 0; d < 64; d++) {
						const k = truth.keys[s]?.[h * 64 + d] as number;
						const v = truth.values[s]?.[h * 64 + d] as number;
						const block = a * heads + h;
						difference +=
							((keys[(block * 64 + d) * positions + s] as number) - k) ** 2;
						difference +=
							((values[(block * positions + s) * 64 + d] as number) - v) ** 2;
						total += k * k + v * v;
					}
		}
	return Math.sqrt(difference / total);
}

/** Largest difference of the requested log-probabilities. */
function extraError(outputs: Outputs): number {
	const found = floats(outputs, "extra_logp");
	let worst = 0;
	for (const [row, { logits }] of expected.entries())
		for (const position of [0, 1]) {
			const truth = logSoftmax(logits[3 + position] as Float64Array);
			for (const [i, id] of extraIds.entries())
				worst = Math.max(
					worst,
					Math.abs(
						(found[(row * 2 + position) * extraIds.length + i] as number) -
							(truth[id] as number),
					),
				);
		}
	return worst;
}

t.test(
	"fp32 graphs compute what the plain model computes: rows of two segments, reordered, several tokens at once",
	async (t) => {
		const graphs = await openGraphs(await plainPackage("fp32"), tiny);
		t.teardown(() => graphs.close());
		const cross = await graphs.encode(mel, [2, tiny.mels, frames]);
		t.ok(crossError(cross) < 1e-4, `cross tensors: ${crossError(cross)}`);
		const outputs = await decoded(graphs, cross);
		t.ok(
			extraError(outputs) < 1e-3,
			`log-probabilities: ${extraError(outputs)}`,
		);
		const best = floats(outputs, "top_logp");
		const bestIds = ids(outputs, "top_ids");
		let worst = 0;
		let misplaced = 0;
		for (const [row, { logits }] of expected.entries())
			for (const position of [0, 1]) {
				const truth = logSoftmax(logits[3 + position] as Float64Array);
				const sorted = Array.from(truth).sort((a, b) => b - a);
				for (let i = 0; i < 16; i++) {
					const at = (row * 2 + position) * 16 + i;
					worst = Math.max(
						worst,
						Math.abs(
							(best[at] as number) - (truth[bestIds[at] as number] as number),
						),
					);
					if (Math.abs((best[at] as number) - (sorted[i] as number)) > 1e-3)
						misplaced++;
				}
			}
		t.ok(worst < 1e-3, `the best: ${worst}`);
		t.equal(misplaced, 0, "the best 16, best first");
		const alignment = floats(outputs, "alignment");
		t.strictSame(outputs.alignment?.dims, [
			4,
			watchedHeads.length,
			2,
			frames / 2,
		]);
		let watched = 0;
		for (const [row, { attention }] of expected.entries())
			for (const [i, [layer, head]] of watchedHeads.entries())
				for (const position of [0, 1])
					for (let s = 0; s < frames / 2; s++) {
						const truth = attention[layer]?.[head]?.[3 + position]?.[
							s
						] as number;
						const at =
							((row * watchedHeads.length + i) * 2 + position) * (frames / 2) +
							s;
						watched = Math.max(
							watched,
							Math.abs((alignment[at] as number) - truth),
						);
					}
		t.ok(watched < 1e-4, `alignment: ${watched}`);
	},
);

t.test(
	"segments of different lengths in a batch: a shorter one's rows attend to nothing after its end",
	async (t) => {
		const graphs = await openGraphs(await plainPackage("fp32"), tiny);
		t.teardown(() => graphs.close());
		const short = frames / 2;
		const own = mel.subarray(0, tiny.mels * short);
		const alone = await graphs.encode(own, [1, tiny.mels, short]);
		const long = await graphs.encode(mel.subarray(tiny.mels * frames), [
			1,
			tiny.mels,
			frames,
		]);
		const { heads, decoderLayers } = tiny;
		const shelf = new CrossAttentionCache(openOnnx(), {
			heads,
			decoderLayers,
			state: heads * 64,
		});
		for (const order of [
			[long, alone],
			[alone, long],
		]) {
			shelf.clear(2, frames / 2);
			const last = order.indexOf(long);
			for (const [place, cross] of order.entries())
				shelf.put(place, cross, place === last ? frames / 2 : short / 2);
			const wanted = await decodedRow(graphs, alone);
			const both = await graphs.step(shelf.read(0, 2), {
				tokens: [...prompts.slice(0, 1), ...prompts.slice(0, 1)],
				parents: [0, 0],
				positions: [2],
				extra: extraIds,
			});
			const found = floats(both, "extra_logp");
			const from = (1 - last) * extraIds.length;
			extraIds.forEach((_, i) => {
				const difference = (found[from + i] as number) - (wanted[i] as number);
				t.ok(Math.abs(difference) < 1e-4, `${difference}`);
			});
			const other = found[last * extraIds.length] as number;
			t.ok(Math.abs(other - (wanted[0] as number)) > 1e-3, "the long one's");
			shelf.move(1 - last, 0);
			const moved = await decodedRow(graphs, shelf.read(0, 1));
			t.ok(Math.abs((moved[0] as number) - (wanted[0] as number)) < 1e-4);
		}
	},
);

t.test(
	"a bias changes the best tokens, not the scale of scores requested by id",
	async (t) => {
		const graphs = await openGraphs(await plainPackage("fp32"), tiny);
		t.teardown(() => graphs.close());
		const cross = await graphs.encode(mel.slice(0, mel.length / 2), [
			1,
			tiny.mels,
			frames,
		]);
		const tokens = [sequences[0] as number[]];
		const one = { tokens, parents: [0], positions: [4] };
		const free = await graphs.step(cross, one);
		const winner = ids(free, "top_ids")[0] as number;
		const bias = new Float32Array(tiny.vocabulary);
		bias[winner] = Number.NEGATIVE_INFINITY;
		const bound = await graphs.step(cross, { ...one, bias, extra: [winner] });
		t.notOk(ids(bound, "top_ids").includes(winner));
		const lost = Math.log(1 - Math.exp(floats(free, "top_logp")[0] as number));
		const wanted = (floats(free, "top_logp")[0] as number) - lost;
		t.ok(Math.abs((floats(bound, "extra_logp")[0] as number) - wanted) < 1e-3);
	},
);

/** Limits for cross tensors and log-probabilities: the values measured with this seed, times about two. */
const limits = {
	fp32: [1e-4, 1e-3],
	fp16: [1e-4, 1e-3],
	int8: [0.05, 0.5],
	int4: [0.35, 3.5],
	half: [7e-4, 0.016],
} as const;
for (const quantization of [...storageFormats, "half"] as const)
	t.test(
		`${quantization} graphs load, run and stay near the plain model`,
		async (t) => {
			const graphs = await openGraphs(await plainPackage(quantization), tiny);
			t.teardown(() => graphs.close());
			const cross = await graphs.encode(mel, [2, tiny.mels, frames]);
			const [crossMax, logpMax] = limits[quantization];
			const found = [
				crossError(cross),
				extraError(await decoded(graphs, cross)),
			];
			t.comment(`cross ${found[0]}, log-probability ${found[1]}`);
			t.ok((found[0] as number) < crossMax, `cross ${found[0]}`);
			t.ok((found[1] as number) < logpMax, `log-probability ${found[1]}`);
		},
	);

t.test(
	"both formats give the same package, and a second conversion the same bytes",
	async (t) => {
		const folders = [
			await plainPackage("int8"),
			await packageOf("hf", "same-2", "int8"),
			await packageOf("ct2", "same-3", "int8"),
		];
		for (const file of ["encoder.onnx", "decoder.onnx"]) {
			const [first, ...others] = folders.map((folder) =>
				readFileSync(join(folder, file)),
			);
			for (const other of others) t.ok(first?.equals(other), file);
		}
		const ranks = folders.map((folder) =>
			readFileSync(join(folder, "tokens.tiktoken"), "utf8"),
		);
		t.equal(ranks[0], ranks[1]);
		t.equal(
			ranks[0]?.split("\n").length,
			50_257,
			"50256 byte pairs, each on a line",
		);
	},
);

t.test(
	"weights too large for one file are in a separate file, and the results are the same",
	async (t) => {
		const folder = await packageOf("ct2", "beside", "fp32", 1_000_000);
		const graphs = await openGraphs(folder, tiny);
		t.teardown(() => graphs.close());
		const manifest = JSON.parse(
			readFileSync(join(folder, "model.json"), "utf8"),
		);
		t.ok(manifest.files["decoder.onnx.data"]);
		const cross = await graphs.encode(mel, [2, tiny.mels, frames]);
		t.ok(crossError(cross) < 1e-4);
		t.ok(extraError(await decoded(graphs, cross)) < 1e-3);
	},
);
