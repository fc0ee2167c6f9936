/** Models with as many tokens as published ones: rows of scores are searched where the library left them, and what is found is what a copy of them gives. */
import t from "tap";
import { HotwordGraphs } from "../../runtime/models/hotword-graphs.js";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import { withRuns } from "../fixtures/runs.js";
import { writeTinySenseVoice } from "../published/tiny-sense-voice.js";
import { speechPieces } from "./cases.js";
import { openModel, openPublished, tokensOf } from "./models.js";
import { writeTinyCtc } from "./tiny/ctc.js";
import { writeTinyParaformer } from "./tiny/paraformer.js";

const samples = speechPieces().at(-1) as Float32Array;
/** A vocabulary of the size of real ones, in a small model. */
const ballast = { tokens: 6000, width: 16, layers: 1 };

/** How often scores were searched in place, and how often they were copied. */
interface Counts {
	searched: number;
	copied: number;
}

/** @param inPlace false: a runtime that can't search. */
function counting(counts: Counts, inPlace: boolean): InferencePort {
	return withRuns((run) => async (feeds, fetches) => {
		const found = await run(feeds, fetches);
		return Object.fromEntries(
			Object.entries(found).map(([name, tensor]) => [
				name,
				{
					type: tensor.type,
					dims: tensor.dims,
					get data() {
						return tensor.data;
					},
					copyTo: (values: Float32Array) => {
						counts.copied++;
						tensor.copyTo(values);
					},
					dispose: () => tensor.dispose(),
					...(inPlace &&
						tensor.likeliestOfRows && {
							likeliestOfRows: (
								wanted: Parameters<typeof tensor.likeliestOfRows>[0],
							) => {
								counts.searched++;
								return tensor.likeliestOfRows?.(wanted);
							},
						}),
				} as typeof tensor,
			]),
		);
	});
}

const folder = t.testdir();
const written: Readonly<Record<string, (folder: string) => void>> = {
	dolphin: (it) => writeTinyCtc(it, "dolphin", 71, ballast),
	nemo: (it) => writeTinyCtc(it, "nemo", 71, ballast),
	zipformer: (it) => writeTinyCtc(it, "zipformer", 71, ballast),
	paraformer: (it) => writeTinyParaformer(it, 71, ballast),
};

for (const [name, write] of Object.entries(written))
	t.test(`${name}: the same tokens without a copy of the scores`, async (t) => {
		const path = `${folder}/${name}`;
		write(path);
		const counts = { searched: 0, copied: 0 };
		const inPlace = await openModel(path, counting(counts, true));
		t.teardown(() => inPlace.close());
		const found = await tokensOf(inPlace, { samples });
		t.ok(found.length > 3);
		t.ok(counts.searched > 0, "in place");
		t.equal(counts.copied, 0, "no copy");
		const copying = await openModel(path, counting(counts, false));
		t.teardown(() => copying.close());
		const other = await tokensOf(copying, { samples });
		t.ok(counts.copied > 0);
		t.strictSame(
			found.map(({ token, seconds }) => [token, seconds]),
			other.map(({ token, seconds }) => [token, seconds]),
		);
		for (const [i, { logp }] of found.entries())
			t.ok(Math.abs(logp - (other[i]?.logp ?? 0)) < 1e-4, `${logp}`);
		counts.copied = 0;
		const list = { key: "hello", entries: ["hello"] };
		const bias = new HotwordGraphs(inPlace.symbols).biasFor({
			list,
			weight: 1,
		});
		t.ok(bias);
		await tokensOf(inPlace, { samples, bias, beam: 4 });
		t.equal(counts.copied, 1, "searches for hotwords look at a copy");
	});

t.test("SenseVoice gives the same text without a copy", async (t) => {
	const path = `${folder}/sense-voice`;
	writeTinySenseVoice(path, 71, { ...ballast, tokens: 25_000 });
	const counts = { searched: 0, copied: 0 };
	const texts: string[] = [];
	for (const inPlace of [true, false]) {
		const recognizer = await openPublished(path, counting(counts, inPlace));
		t.teardown(() => recognizer.close());
		const found = await recognizer.recognize({
			samples,
			language: "en-US",
			beam: 1,
			punctuation: true,
			words: true,
		});
		if (found === "cancelled") throw new Error(found);
		texts.push(
			JSON.stringify(found.words.map((it) => [it.text, it.startSeconds])),
		);
		t.equal(counts.copied, inPlace ? 0 : 1);
	}
	t.ok(counts.searched > 0);
	t.ok((texts[0] ?? "").length > 20);
	t.equal(texts[0], texts[1]);
});
