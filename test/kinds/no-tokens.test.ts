/** Speech in which a model finds no token is an empty text, also where its graph cannot run on it. */
import t, { type Test } from "tap";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import { withRuns } from "../fixtures/runs.js";
import { speechPieces } from "./cases.js";
import { openPublished } from "./models.js";
import { writeTinyParaformer } from "./tiny/paraformer.js";

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
