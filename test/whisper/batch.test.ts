/**
 * Several segments at once: each has the same result as alone.
 */
import t from "tap";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import type {
	Hypothesis,
	SegmentRequest,
} from "../../runtime/models/recognizer.js";
import { holds } from "../fuzz/holds.js";
import { othersChangeNothing } from "./batch.property.js";
import { countingPort } from "./counting-port.js";
import { missing, modelDirectory, openRecognizer } from "./packages.js";
import { alone, requestsOf, textOf, together } from "./together.js";

const skip = missing(modelDirectory);
t.test(
	"a segment's text and words do not depend on the rest of the batch",
	{ skip },
	async (t) => {
		const { port, alive } = countingPort();
		const recognizer = await openRecognizer(modelDirectory, port);
		const requests = requestsOf();
		const wanted = await alone(recognizer, requests);
		t.ok(wanted.every((it) => textOf(it).length > 10));
		await holds(t, othersChangeNothing(recognizer, requests, wanted), 1);
		const some = requests.slice(-4);
		const both = await Promise.all([
			together(recognizer, some),
			together(recognizer, some.toReversed()),
		]);
		const texts = wanted.slice(-4).map(textOf);
		t.same(both[0].map(textOf), texts, "two batches at once");
		t.same(both[1].toReversed().map(textOf), texts, "the other");
		t.equal(alive(), 0, "every tensor was given back");
		await recognizer.close();
	},
);

t.test(
	"in one batch: silence, marks and words, no options, and a search that ends early",
	{ skip },
	async (t) => {
		const { port, alive } = countingPort();
		const recognizer = await openRecognizer(modelDirectory, port);
		const plain = requestsOf({
			beam: 2,
			punctuation: false,
			words: false,
		}).slice(0, 5);
		const wanted = await alone(recognizer, plain);
		let polls = 0;
		const mixed = plain.map((request, i) => {
			if (i === 0) return { ...request, punctuation: true, words: true };
			if (i === 1) return { ...request, samples: new Float32Array(48_000) };
			if (i === 2) return { ...request, cancelled: () => ++polls > 5 };
			return request;
		});
		const found = await together(recognizer, mixed);
		t.match(textOf(found[0]), /Mr\. .*\.$/, "with marks");
		t.notMatch(textOf(wanted[0]), /[.,]/);
		t.equal(textOf(found[1]), "");
		t.equal(found[2], "cancelled");
		t.same(found.slice(3).map(textOf), wanted.slice(3).map(textOf));
		const none = await together(
			recognizer,
			plain.map((request) => ({ ...request, cancelled: () => true })),
		);
		t.ok(none.every((it) => it === "cancelled"));
		t.equal(alive(), 0, "every tensor was given back");
		t.same(await together(recognizer, []), []);
		await recognizer.close();
	},
);

t.test(
	"the first words of several speakers, and words that follow settled ones",
	{ skip },
	async (t) => {
		const { port, alive } = countingPort();
		const recognizer = await openRecognizer(modelDirectory, port);
		const partials = requestsOf({
			beam: 2,
			punctuation: false,
			words: false,
			open: true,
		})
			.slice(0, 5)
			.map((it) => ({ ...it, samples: it.samples.subarray(0, 24_000) }));
		const wanted = await Promise.all(
			partials.map((it) => recognizer.recognize(it)),
		);
		t.ok(wanted.some((it) => textOf(it).length > 3));
		const found = await together(recognizer, partials);
		t.same(found.map(textOf), wanted.map(textOf));
		const settled = partials.map((it, i) => {
			const { tokens = [] } = wanted[i] as Hypothesis;
			return i % 2 === 0 ? it : { ...it, prefixTokens: tokens.slice(0, 1) };
		});
		const batch = recognizer.nextBatch?.(settled, 1) ?? [];
		t.same(
			batch,
			settled.filter((_, i) => i % 2 === 0),
			"as long before all",
		);
		const continued = await together(recognizer, settled);
		const alone = await Promise.all(
			settled.map((it) => recognizer.recognize(it)),
		);
		t.same(continued.map(textOf), alone.map(textOf));
		t.equal(alive(), 0, "every tensor was given back");
		await recognizer.close();
	},
);

t.test(
	"a decoder that fails fails the batch, and the next one works",
	{ skip },
	async (t) => {
		const { port, alive } = countingPort();
		let runs = 0;
		const breaking = {
			...port,
			open: async (path: string, options: { threads: number }) => {
				const session = await port.open(path, options);
				const { inputNames, inputs, outputNames } = session;
				return {
					inputNames,
					inputs,
					outputNames,
					close: () => session.close(),
					run: async (...args: Parameters<typeof session.run>) => {
						if (path.includes("decoder") && ++runs === 8)
							throw new Error("broken");
						return session.run(...args);
					},
				};
			},
		};
		const recognizer = await openRecognizer(modelDirectory, breaking);
		const some = requestsOf().slice(0, 3);
		await t.rejects(together(recognizer, some), { message: "broken" });
		const [first] = await together(recognizer, some);
		t.match(textOf(first), /Dashwood/);
		t.equal(alive(), 0, "every tensor was given back");
		await recognizer.close();
	},
);

t.test(
	"an older decoder, which needs equal contexts, gets batches of segments of one length",
	{ skip },
	async (t) => {
		const { port, alive } = countingPort();
		const widths = new Set<string>();
		const before: InferencePort = {
			...port,
			open: async (path, options) => {
				const session = await port.open(path, options);
				const { inputNames, inputs, outputNames } = session;
				return {
					inputNames: inputNames.filter((name) => name !== "cross_bias"),
					inputs,
					outputNames,
					close: () => session.close(),
					run: (feeds, fetches) => {
						const [count = 0, , , width = 0] = feeds.cross_k_0?.dims ?? [];
						if (count === 0 || !inputNames.includes("cross_bias"))
							return session.run(feeds, fetches);
						widths.add(`${width}`);
						const bias = new Float32Array(count * width);
						const cross_bias = port.tensor("float32", bias, [count, width]);
						return session.run({ ...feeds, cross_bias }, fetches);
					},
				};
			},
		};
		const recognizer = await openRecognizer(modelDirectory, before);
		const requests = requestsOf({ beam: 2, words: false }).slice(1, 5);
		const found = await together(recognizer, requests);
		const wanted = await alone(recognizer, requests);
		t.same(found.map(textOf), wanted.map(textOf));
		t.notOk([...widths].some((it) => (Number(it) / 50 - 10) % 4 !== 0));
		t.equal(alive(), 0, "every tensor was given back");
		await recognizer.close();
	},
);

t.test(
	"a batch is the first segment and its nearest, and smaller towards the end with concurrent batches",
	{ skip },
	async (t) => {
		const { port } = countingPort();
		const sizesOf = async (isNew: boolean, sideBySide: number) => {
			const recognizer = await openRecognizer(modelDirectory, {
				...port,
				open: async (path, options) => {
					const session = await port.open(path, options);
					const old = session.inputNames.filter((it) => it !== "cross_bias");
					const inputNames = isNew ? [...old, "cross_bias"] : old;
					return Object.assign(Object.create(session), { inputNames });
				},
			});
			const requests = Array.from({ length: 20 }, (_, i) => ({
				...(requestsOf()[0] as SegmentRequest),
				samples: new Float32Array(16_000 * (i < 10 ? 2 : 9)),
			}));
			const sizes: number[] = [];
			for (let waiting = requests; waiting.length > 0; ) {
				const batch = recognizer.nextBatch?.(waiting, sideBySide) ?? [];
				t.equal(batch[0], waiting[0], "nobody waits for ever");
				const left = waiting.filter((it) => !batch.includes(it));
				const apart = (it: SegmentRequest) =>
					Math.abs(it.samples.length - (batch[0]?.samples.length ?? 0));
				const farthest = Math.max(...batch.map(apart));
				if (isNew) t.ok(left.every((it) => apart(it) >= farthest));
				t.equal(left.length, waiting.length - batch.length);
				sizes.push(batch.length);
				waiting = left;
			}
			await recognizer.close();
			return sizes;
		};
		t.same(await sizesOf(true, 1), [8, 8, 4]);
		t.same(await sizesOf(true, 2), [8, 6, 3, 2, 1]);
		t.same(await sizesOf(false, 2), [8, 2, 8, 2]);
	},
);
