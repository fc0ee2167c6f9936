/** Speech in which a model finds no token is an empty text, also where its graph cannot run on it. */
import t, { type Test } from "tap";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import { withRuns } from "../fixtures/runs.js";
import { speechPieces } from "./cases.js";
import { openPublished } from "./models.js";
import { writeTinyCtc } from "./tiny/ctc.js";
import { writeTinyParaformer } from "./tiny/paraformer.js";
import { writeTinyTransducer } from "./tiny/transducer.js";

const samples = speechPieces().at(-1) as Float32Array;
const request = {
	samples,
	language: "zh-cmn-Hans-CN",
	beam: 1,
	punctuation: true,
	words: true,
} as const;

/** An offline Paraformer whose graph cannot run with fewer tokens. */
async function paraformer(t: Test, tokensMin: number, port?: InferencePort) {
	const folder = t.testdir();
	writeTinyParaformer(folder, 55, undefined, tokensMin);
	const recognizer = await openPublished(folder, port);
	t.teardown(() => recognizer.close());
	return recognizer;
}

t.test("a Paraformer in which no token fires has no text", async (t) => {
	const some = await paraformer(t, 1);
	const spoken = await some.recognize(request);
	t.match(spoken, { text: /\S/u });
	const none = await paraformer(t, 1000);
	const found = await none.recognize(request);
	t.match(found, { text: "", words: [], guards: [] });
});

t.test("a Paraformer without memory fails", async (t) => {
	const port = withRuns(() => async () => {
		throw new Error(
			"Non-zero status code returned while running Loop node. Name:'Loop_5471' Status Message: Failed to allocate memory for requested buffer of size 83886080",
		);
	});
	const recognizer = await paraformer(t, 1, port);
	await t.rejects(recognizer.recognize(request), /Failed to allocate/);
});

/** Of icefall's zipformers, whose first convolutions leave (count - 7) / 2 of the features. */
function likePublished(): InferencePort {
	return withRuns((run) => async (feeds, fetches) => {
		const { x } = feeds;
		const [, count = 0] = x?.dims ?? [];
		if (x && count < 9)
			throw new Error("Non-zero status code returned while running Conv node");
		return run(feeds, fetches);
	});
}

for (const [name, write] of [
	["transducer", (it) => writeTinyTransducer(it, "zipformer2", 11)],
	["ctc", (it) => writeTinyCtc(it, "zipformer", 15)],
] as const satisfies [string, (folder: string) => void][])
	t.test(`${name}: speech that is too short for the graph`, async (t) => {
		const folder = t.testdir();
		write(folder);
		const recognizer = await openPublished(folder, likePublished());
		t.teardown(() => recognizer.close());
		for (const milliseconds of [20, 70, 80, 84]) {
			const short = samples.slice(8000, 8000 + milliseconds * 16);
			const found = await recognizer.recognizeAll?.([
				{ ...request, samples: short },
				request,
			]);
			t.match(found?.[0], { text: "", guards: [] }, `${milliseconds} ms`);
			t.match(found?.[1], { text: /\S/u }, "and what is beside it");
		}
	});
