/** CAM++ in our graph: the published network's embeddings, and the similarity of the same voices. */
import { existsSync, readFileSync } from "node:fs";
import t from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import { openCampplus } from "../../runtime/models/campplus/embedder.js";
import { dot } from "../../runtime/speakers/neighbour-graph.js";
import {
	clipFolder,
	clipsMissing,
	ownClipFolder,
	readClip,
} from "../audio/clips.js";
import { shape } from "../speakers/made-voices.js";

const path = "models/campplus-zh-en/campplus.onnx";
const port = openOnnx();
const embedder = await openCampplus(port, { path, ...shape }, { threads: 2 });
t.teardown(() => embedder.close());
const window = 25_600;

async function voice(file: string, start: number, folder = ownClipFolder) {
	const samples = (await readClip(file, folder)).subarray(
		start,
		start + window,
	);
	return (await embedder.embed([samples]))[0] as Float32Array;
}

/** Made with PyTorch from the checkpoint as published, in float32, on features computed the plain way. */
const published = JSON.parse(
	readFileSync("test/campplus/published-answers.json", "utf8"),
) as {
	file: string;
	startSample: number;
	samples: number;
	embedding: number[];
}[];

t.test(
	"embeddings are those of the published network, except for 8-bit weights",
	async (t) => {
		for (const { file, startSample, samples, embedding } of published) {
			const clip = await readClip(file, ownClipFolder);
			const part = clip.subarray(startSample, startSample + samples);
			const [found] = await embedder.embed([part]);
			const cosine = dot(found as Float32Array, Float32Array.from(embedding));
			t.ok(cosine > 0.994, `${file}: cosine ${cosine.toFixed(4)}`);
		}
	},
);

t.test("any batch gives the same", async (t) => {
	const clip = await readClip("en-librivox-0930.wav", ownClipFolder);
	const windows = Array.from({ length: 11 }, (_, i) =>
		clip.subarray(i * 1600, i * 1600 + window),
	);
	const together = await embedder.embed(windows);
	for (const [i, one] of windows.entries()) {
		const [alone] = await embedder.embed([one]);
		t.ok(dot(alone as Float32Array, together[i] as Float32Array) > 0.9999);
	}
	t.same(await embedder.embed([]), []);
});

t.test("a voice is similar to itself and different from another", async (t) => {
	const austen = await voice("en-librivox-0870.wav", 8000);
	const again = await voice("en-librivox-0920.wav", 16_000);
	const kokoro = await voice("ja-kokoro-meeting.wav", 8000);
	t.ok(dot(austen, again) > 0.5, `${dot(austen, again)}`);
	t.ok(dot(austen, kokoro) < 0.3, `${dot(austen, kokoro)}`);
});

t.test("silence and a click have valid embeddings", async (t) => {
	const click = new Float32Array(window);
	click[100] = 1;
	const [silence, clicked] = await embedder.embed([
		new Float32Array(window),
		click,
	]);
	for (const it of [silence, clicked])
		t.ok(it?.every((value) => Number.isFinite(value)));
	t.rejects(
		embedder.embed([new Float32Array(40_000)]),
		/too many for a window/,
	);
});

const reference = "../shared/models/reference/campplus-zh-en-wav-w8.onnx";
const skip =
	clipsMissing || (!existsSync(reference) && `${reference} is not here`);

t.test("an independent export agrees on real speech", { skip }, async (t) => {
	const session = await port.open(reference, { threads: 2 });
	t.teardown(() => session.close());
	for (const file of ["zh-fleurs-001.wav", "en-jfk-1.wav", "ja-reazon-2.wav"])
		for (const samples of [window, 8000]) {
			const clip = await readClip(file, clipFolder);
			const part = clip.slice(16_000, 16_000 + samples);
			const wav = port.tensor("float32", part, [1, samples]);
			const { emb } = await session.run({ wav }, ["emb"]);
			const other = emb?.data as Float32Array;
			const [own] = await embedder.embed([part]);
			const cosine =
				dot(own as Float32Array, other) / Math.sqrt(dot(other, other));
			t.ok(cosine > 0.9995, `${file}, ${samples}: cosine ${cosine.toFixed(5)}`);
		}
});
