/** A decoder of FireRed whose past may have any number of places gets a few, and more as the text grows: it writes what one with all of them writes. */
import t from "tap";
import { HotwordGraphs } from "../../runtime/models/hotword-graphs.js";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import { withRuns } from "../fixtures/runs.js";
import { speechPieces } from "./cases.js";
import { openModel, tokensOf } from "./models.js";
import { tinyFireRed, writeFireRed } from "./tiny/fire-red.js";

const folder = t.testdir();
const long = Float32Array.from(
	speechPieces()
		.slice(-6)
		.flatMap((it) => [...it]),
);
/** How many places the decoder's past had. */
const places = new Set<number>();

function watched(): InferencePort {
	return withRuns((run) => async (feeds, fetches) => {
		const past = feeds.in_n_layer_self_k_cache;
		if (past) places.add(past.dims[2] as number);
		return run(feeds, fetches);
	});
}

t.test("the same tokens, however many places there are", async (t) => {
	for (const seed of [64, 65, 66, 67]) {
		const both = [];
		for (const anyPlaces of [false, true]) {
			const path = `${folder}/${seed}-${anyPlaces}`;
			writeFireRed(path, seed, { ...tinyFireRed, anyPlaces });
			const model = await openModel(path, watched());
			const list = { key: "hello", entries: ["hello"] };
			const bias = new HotwordGraphs(model.symbols).biasFor({
				list,
				weight: 1,
			});
			const found = [];
			for (const samples of [long.subarray(0, long.length / 4), long]) {
				found.push(await tokensOf(model, { samples }));
				found.push(await tokensOf(model, { samples, bias, beam: 3 }));
			}
			both.push(found.flat());
			await model.close();
		}
		const [fixed = [], any = []] = both;
		t.ok(fixed.length > 20, `${fixed.length} tokens`);
		t.strictSame(
			any.map(({ token }) => token),
			fixed.map(({ token }) => token),
		);
		t.ok(
			any.every(({ logp }, i) => Math.abs(logp - (fixed[i]?.logp ?? 0)) < 1e-3),
		);
	}
	t.strictSame(
		[...places].toSorted((a, b) => a - b),
		[16, 32, 64],
	);
});
