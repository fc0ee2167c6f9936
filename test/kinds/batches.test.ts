/** Segments that a decoder with a mask writes at once: the texts of each alone, in fewer runs. */
import t from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import { HotwordGraphs } from "../../runtime/models/hotword-graphs.js";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import type {
	FoundTokens,
	TokenRequest,
} from "../../runtime/models/offline/token-model.js";
import { kindCases, speechPieces, writtenCases } from "./cases.js";
import { openModel, tokensOf } from "./models.js";

const masked = "tiny-moonshine-v2-mask";
const others = ["tiny-moonshine-v1", "tiny-moonshine-v2", "tiny-fire-red"];
const { folderOf, dispose } = writtenCases(
	kindCases.filter(({ name }) => [masked, ...others].includes(name)),
);
t.teardown(dispose);
const pieces = speechPieces().slice(-5);

/** Counts the runs of graphs with so many inputs. */
function counting(inputs: (count: number) => boolean) {
	let runs = 0;
	const port = openOnnx();
	const counted: InferencePort = {
		...port,
		open: async (path, options) => {
			const session = await port.open(path, options);
			const run: typeof session.run = (feeds, fetches) => {
				if (inputs(session.inputNames.length)) runs++;
				return session.run(feeds, fetches);
			};
			return { ...session, run };
		},
	};
	const taken = () => {
		const all = runs;
		runs = 0;
		return all;
	};
	return { port: counted, taken };
}

const request = (
	samples: Float32Array,
	more: Partial<TokenRequest> = {},
): TokenRequest => ({
	samples,
	language: "en-US",
	beam: 4,
	bias: undefined,
	cancelled: () => false,
	...more,
});

const idsOf = (found: FoundTokens) =>
	found === "cancelled" ? found : found.map(({ token }) => token);

t.test("five segments take the runs of the longest text", async (t) => {
	const { port, taken } = counting((inputs) => inputs > 2);
	const model = await openModel(folderOf(masked), port);
	t.ok(model.togetherMax >= pieces.length);
	const alone = [];
	const runs: number[] = [];
	for (const samples of pieces) {
		alone.push(await tokensOf(model, { samples }));
		runs.push(taken());
	}
	const found = await model.tokensOf(pieces.map((it) => request(it)));
	t.equal(taken(), Math.max(...runs));
	t.same(found.map(idsOf), alone.map(idsOf));
	const [first] = found;
	const differences = (alone[0] ?? []).map(({ logp }, i) =>
		first === "cancelled" ? 1 : Math.abs(logp - (first?.[i]?.logp ?? 1)),
	);
	t.ok(Math.max(...differences) < 1e-4, "padding changes no probability");
	await model.close();
});

t.test("one is cancelled, one too short, one has hotwords", async (t) => {
	const model = await openModel(folderOf(masked));
	const bias = new HotwordGraphs(model.symbols).biasFor({
		list: { key: "a", entries: ["好在"] },
		weight: 1,
	});
	let polls = 0;
	const [one, two, three] = pieces as [
		...[Float32Array, Float32Array, Float32Array],
	];
	const found = await model.tokensOf([
		request(one),
		request(two, { cancelled: () => ++polls > 2 }),
		request(one.slice(0, 150)),
		request(three, { bias }),
		request(three),
	]);
	const alone = [
		await tokensOf(model, { samples: one }),
		"cancelled",
		[],
		await tokensOf(model, { samples: three, beam: 4, bias }),
		await tokensOf(model, { samples: three }),
	] as const;
	t.same(found.map(idsOf), alone.map(idsOf));
	t.not(`${idsOf(alone[3])}`, `${idsOf(alone[4])}`, "hotwords count");
	await model.close();
});

t.test("a batch is limited by its length", async (t) => {
	const { port, taken } = counting((inputs) => inputs > 2);
	const model = await openModel(folderOf(masked), port);
	const long = new Float32Array(20 * 16_000);
	for (let i = 0; i < 10; i++)
		long.set((pieces[i % 5] as Float32Array).slice(0, 32_000), i * 32_000);
	await tokensOf(model, { samples: long });
	const once = taken();
	await model.tokensOf([request(long), request(long), request(long)]);
	t.equal(taken(), 2 * once, "two at once, then the third");
	await model.close();
});

for (const name of others)
	t.test(`${name} has no mask: one at a time`, async (t) => {
		const model = await openModel(folderOf(name));
		t.equal(model.togetherMax, 1);
		await model.close();
	});
