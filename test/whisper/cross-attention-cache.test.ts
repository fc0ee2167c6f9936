/** Memory of batches: kept for the next one, and given back when none comes. */
import t from "tap";
import { HostTensor } from "../../drivers/onnx/host-tensor.js";
import { openOnnx } from "../../drivers/onnx/session.js";
import { releaseMemory } from "../../runtime/engine/child/idle-memory.js";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import { CrossAttentionCache } from "../../runtime/models/whisper/cross-attention-cache.js";
import { eventually } from "../fixtures/eventually.js";
import { missing, modelDirectory, openRecognizer } from "./packages.js";
import { scriptedRequest } from "./scripted-whisper.js";
import { textOf, together } from "./together.js";

const megabytes = () => process.memoryUsage().arrayBuffers / 1e6;

async function freedTo(megabytesMax: number): Promise<void> {
	await eventually(
		"the memory of a batch is free",
		async () => {
			await releaseMemory();
			return megabytes() < megabytesMax;
		},
		{ seen: () => `${megabytes()} MB, not ${megabytesMax}` },
	);
}

t.test(
	"the memory of the last batch is freed when no other follows",
	async (t) => {
		const port: InferencePort = {
			tensor: (...parts) => new HostTensor(...parts),
			open: () => Promise.reject(new Error("no graphs")),
		};
		const shape = { heads: 8, state: 512, decoderLayers: 2 };
		const cache = new CrossAttentionCache(port, shape, 1);
		const before = megabytes();
		const positions = 500;
		const dims = { k: [1, 8, 64, positions], v: [1, 8, positions, 64] };
		const cross = Object.fromEntries(
			[0, 1].flatMap((layer) =>
				(["k", "v"] as const).map((kind) => [
					`cross_${kind}_${layer}`,
					new HostTensor(
						"float32",
						new Float32Array(512 * positions).fill(layer + 1),
						dims[kind],
					),
				]),
			),
		);
		const batch = () => {
			cache.clear(8, 2 * positions);
			cache.put(7, cross, positions);
			const { data } = cache.read(7, 1).cross_v_1 ?? {};
			t.same(data?.subarray(0, 2), [2, 2]);
		};
		batch();
		t.ok(megabytes() - before > 64);
		cache.forget();
		t.same(cache.read(7, 1).cross_v_1?.data[0], 2, "not while a batch lasts");
		cache.batchEnded();
		await freedTo(before + 20);
		batch();
		cache.batchEnded();
		cache.forget();
		await freedTo(before + 20);
		t.equal(cache.bytesOf(positions), 4 * 4 * 512 * positions);
	},
);

t.test(
	"a recognizer that is closed holds no batch",
	{ skip: missing(modelDirectory) },
	async (t) => {
		const recognizer = await openRecognizer(modelDirectory, openOnnx());
		const request = { ...scriptedRequest, languageOnly: true };
		await recognizer.recognize(request);
		await releaseMemory();
		const before = megabytes();
		const batch = [request, { ...request }];
		t.same((await together(recognizer, batch)).map(textOf), ["", ""]);
		await releaseMemory();
		t.ok(megabytes() - before > 20, "two segments of 10 s");
		await recognizer.close();
		await freedTo(before + 5);
		t.ok(recognizer.name);
	},
);
