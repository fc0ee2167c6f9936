/** Kinds whose segments grow: what was decoded of an open segment is used again, and changes nothing. */
import t from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import { installedModels } from "../../runtime/appliance/installed-models.js";
import { HotwordGraphs } from "../../runtime/models/hotword-graphs.js";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import { installFolder } from "../../runtime/models/package/install.js";
import { kindCases, speechPieces, writtenCases } from "./cases.js";
import { openPublished, openStreaming } from "./models.js";

const cases = kindCases.filter(({ peer }) => peer.streams);
const { folderOf, dispose } = writtenCases(cases);
t.teardown(dispose);
const samples = speechPieces().at(-1) as Float32Array;
const stepSamples = 4_801;
/** A pause discards a little audio, and requests a final that may not be the last. */
const takenBack = 6_000;

t.test("the list of models says which kinds stream", async (t) => {
	const dir = t.testdir();
	const others = kindCases.filter(({ name }) => name === "tiny-transducer");
	const written = writtenCases(others);
	t.teardown(written.dispose);
	const about = { directory: dir, languages: ["zh"], licence: "MIT" };
	for (const { name } of cases)
		await installFolder(folderOf(name), { ...about, name });
	for (const { name } of others)
		await installFolder(written.folderOf(name), { ...about, name });
	const models = await installedModels({ dir, name: "" }, []);
	t.same(Object.fromEntries(models.map((it) => [it.name, it.streaming])), {
		"tiny-streaming-ctc": true,
		"tiny-streaming-paraformer": true,
		"tiny-transducer": false,
	});
});

for (const { name } of cases) {
	t.test(`${name}: an open segment does not change its final`, async (t) => {
		const model = await openStreaming(folderOf(name));
		const hotwords = new HotwordGraphs(model.symbols);
		const list = { key: "words", entries: ["大说", "子和"] };
		for (const bias of [undefined, hotwords.biasFor({ list, weight: 1 })]) {
			const options = { beam: 3, bias };
			const whole = await model.open(options).decode(samples, false);
			t.ok(whole.length > 5);
			const growing = model.open(options);
			for (let end = 0; end < samples.length; end += stepSamples) {
				await growing.decode(samples.subarray(0, end), true);
				const less = samples.subarray(0, Math.max(0, end - takenBack));
				const final = await growing.decode(less, false);
				const alone = await model.open(options).decode(less, false);
				t.same(final, alone, `${less.length} samples`);
			}
			t.same(await growing.decode(samples, false), whole);
		}
		await model.close();
	});

	t.test(`${name}: a partial has the words so far`, async (t) => {
		const recognizer = await openPublished(folderOf(name));
		t.ok(recognizer.capabilities.streaming);
		const request = {
			language: "zh-cmn-Hans-CN",
			beam: 1,
			punctuation: false,
			words: false,
			segmentKey: {},
		} as const;
		let before: readonly number[] = [];
		for (let end = 16_000; end <= samples.length; end += 8_000) {
			const part = samples.subarray(0, end);
			const found = await recognizer.recognize({
				...request,
				samples: part,
				open: true,
			});
			if (found === "cancelled") throw new Error("cancelled");
			t.same(found.tokens.slice(0, before.length), before);
			before = found.tokens;
		}
		t.ok(before.length > 5);
		await recognizer.close();
	});

	t.test(`${name}: words that nobody says change no partial`, async (t) => {
		const model = await openStreaming(folderOf(name));
		const entries = [..."我你好的是在有人大说子和"].map((it) => `${it}鑫`);
		const list = { key: "nobody", entries };
		const bias = new HotwordGraphs(model.symbols).biasFor({ list, weight: 1 });
		const plain = model.open({ beam: 3, bias: undefined });
		const favoured = model.open({ beam: 3, bias });
		for (let end = 0; end < samples.length; end += 2 * stepSamples) {
			const part = samples.subarray(0, end);
			const open = end % 3 !== 0;
			t.same(
				await favoured.decode(part, open),
				await plain.decode(part, open),
				`${end} samples`,
			);
		}
		await model.close();
	});

	t.test(`${name}: a partial runs the graph for what is new`, async (t) => {
		let runs = 0;
		const port = openOnnx();
		const counting: InferencePort = {
			...port,
			open: async (path, options) => {
				const session = await port.open(path, options);
				const run: typeof session.run = (feeds, fetches) => {
					runs++;
					return session.run(feeds, fetches);
				};
				return { ...session, run };
			},
		};
		const model = await openStreaming(folderOf(name), counting);
		const stream = () => model.open({ beam: 1, bias: undefined });
		await stream().decode(samples, true);
		const once = runs;
		const growing = stream();
		for (let end = 0; end < samples.length; end += stepSamples)
			await growing.decode(samples.subarray(0, end), true);
		await growing.decode(samples, true);
		t.equal(runs, 2 * once);
		await model.close();
	});
}
