/** What every kind of model does alike, on tiny models in their published form. */
import t from "tap";
import { HotwordGraphs } from "../../runtime/models/hotword-graphs.js";
import type {
	InferencePort,
	Tensor,
} from "../../runtime/models/inference-port.js";
import type {
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../../runtime/models/recognizer.js";
import { withRuns } from "../fixtures/runs.js";
import { keptGraphs } from "../whisper/kept-graphs.js";
import { kindCases, speechPieces, writtenCases } from "./cases.js";
import { openModel, openPublished, tokensOf } from "./models.js";

const pieces = speechPieces();
const longest = pieces.at(-1) as Float32Array;
const { folderOf, dispose } = writtenCases();
t.teardown(dispose);

const request = {
	samples: longest,
	language: "zh-cmn-Hans-CN",
	beam: 4,
	punctuation: true,
	words: false,
} as const satisfies SegmentRequest;

async function transcribe(
	recognizer: SpeechRecognizer,
	wanted: Partial<SegmentRequest> = {},
): Promise<Hypothesis> {
	const found = await recognizer.recognize({ ...request, ...wanted });
	if (found === "cancelled") throw new Error("cancelled");
	return found;
}

/** Of floats that are no numbers. */
function damaged(tensor: Tensor): Tensor {
	if (tensor.type !== "float32") return tensor;
	const { type, dims } = tensor;
	const data = (tensor.data as Float32Array).map(() => Number.NaN);
	tensor.dispose();
	return {
		type,
		dims,
		data,
		copyTo: (values) => values.set(data),
		dispose: () => {},
	};
}

function without(): InferencePort {
	return withRuns((run) => async (feeds, fetches) => {
		const found = await run(feeds, fetches);
		return Object.fromEntries(
			Object.entries(found).map(([name, it]) => [name, damaged(it)]),
		);
	});
}

for (const { name, peer } of kindCases) {
	const folder = folderOf(name);

	t.test(`${name}: words have times, in order, and marks`, async (t) => {
		const recognizer = await openPublished(folder, keptGraphs);
		const { capabilities } = recognizer;
		const found = await transcribe(recognizer, { words: true });
		t.ok(found.words.length > 2, found.text);
		t.ok(found.confidence > 0 && found.confidence <= 1);
		let before = 0;
		for (const { startSeconds, endSeconds } of found.words) {
			t.ok(startSeconds >= before && endSeconds >= startSeconds);
			before = endSeconds;
		}
		t.ok(before <= longest.length / 16_000);
		t.ok(capabilities.punctuation && capabilities.hotwords);
		const plain = await transcribe(recognizer, { punctuation: false });
		t.notMatch(plain.text, /[,.，。？]/u);
		const { tokens } = plain;
		t.same(tokens, found.tokens, "marks change no word");
		await recognizer.close();
	});

	t.test(`${name}: silence and hum never reach the model`, async (t) => {
		const recognizer = await openPublished(folder, keptGraphs);
		const samples = new Float32Array(16_000);
		t.same((await transcribe(recognizer, { samples })).guards, ["inaudible"]);
		const hum = Float32Array.from(
			{ length: 32_000 },
			(_, i) => 0.3 * Math.sin((2 * Math.PI * 440 * i) / 16_000),
		);
		t.same((await transcribe(recognizer, { samples: hum })).guards, ["steady"]);
		t.same(
			(await transcribe(recognizer, { samples: longest.slice(0, 150) })).text,
			"",
		);
		await recognizer.close();
	});

	t.test(`${name}: a cancelled segment ends`, async (t) => {
		const recognizer = await openPublished(folder, keptGraphs);
		let polls = 0;
		const cancelled = () => ++polls > 1;
		t.equal(await recognizer.recognize({ ...request, cancelled }), "cancelled");
		await recognizer.close();
	});

	t.test(`${name}: damaged weights are a fault, not a text`, async (t) => {
		const recognizer = await openPublished(folder, without());
		await t.rejects(transcribe(recognizer), {
			name: "ModelFault",
			message: /not finite/,
		});
		await recognizer.close();
	});

	t.test(`${name}: hotwords are found where they nearly were`, async (t) => {
		const model = await openModel(folder, keptGraphs);
		const plain = await tokensOf(model, { samples: longest, beam: 4 });
		const text = (tokens: typeof plain) =>
			tokens.map(({ token }) => model.symbols.symbol(token)).join("");
		const count = (tokens: typeof plain, word: string) =>
			text(tokens).split(word).length - 1;
		const tried: string[] = [];
		let found = false;
		for (const word of nearWords(text(plain))) {
			const bias = new HotwordGraphs(model.symbols).biasFor({
				list: { key: word, entries: [word] },
				weight: 1,
			});
			t.ok(bias, word);
			const biased = await tokensOf(model, { samples: longest, beam: 4, bias });
			tried.push(`${word}: ${text(biased)}`);
			found = count(biased, word) > count(plain, word);
			if (found) break;
		}
		t.ok(found, `${text(plain)} | ${tried.join(" | ")}`);
		await model.close();
	});

	t.test(`${name}: words that nobody says change nothing`, async (t) => {
		const model = await openModel(folder, keptGraphs);
		// each begins with a character that the model knows, and ends with one that it doesn't
		const entries = [..."我你好的是在有人这中大来上国到说们为子和"].map(
			(it) => `${it}鑫`,
		);
		const list = { key: "nobody", entries };
		const bias = new HotwordGraphs(model.symbols).biasFor({ list, weight: 1 });
		t.ok(bias);
		const options = { samples: longest, beam: 4 };
		const plain = await tokensOf(model, options);
		t.same(await tokensOf(model, { ...options, bias }), plain);
		await model.close();
	});

	if (peer.streams) continue;
	t.test(`${name}: a batch gives each segment its own text`, async (t) => {
		const recognizer = await openPublished(folder, keptGraphs);
		const requests = pieces
			.slice(-6)
			.map((samples) => ({ ...request, samples }));
		const silent = { ...request, samples: new Float32Array(40_000) };
		const all = [requests[0] ?? silent, silent, ...requests.slice(1)];
		const batch = recognizer.nextBatch?.(all, 1) ?? [];
		t.equal(batch[0], all[0], "the first is always in it");
		const together = await recognizer.recognizeAll?.(all);
		const alone: (Hypothesis | "cancelled")[] = [];
		for (const one of all) alone.push(await recognizer.recognize(one));
		const texts = (found: readonly (Hypothesis | "cancelled")[] = []) =>
			found.map((it) => (it === "cancelled" ? it : it.text));
		t.same(texts(together), texts(alone));
		await recognizer.close();
	});
}

/** Two of the model's Chinese characters that never follow each other in the text, one of which is in it. */
function nearWords(text: string): string[] {
	const characters = [..."我你好的是在有人这中大来上国到说们为子和"];
	return characters
		.filter((it) => text.includes(it))
		.flatMap((first) =>
			characters
				.filter((second) => second !== first && !text.includes(first + second))
				.slice(0, 2)
				.map((second) => first + second),
		)
		.slice(0, wordsTried);
}

/** The models are random: not every word is near. */
const wordsTried = 8;
