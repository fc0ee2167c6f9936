/** SenseVoice says how sure it is of a language: what it is not sure of decides for one sentence only (docs/interface.md). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { withRuns } from "../fixtures/runs.js";
import { speechPieces } from "../kinds/cases.js";
import { openPublished } from "../kinds/models.js";
import { writeTinySenseVoice } from "./tiny-sense-voice.js";

const [samples = new Float32Array()] = speechPieces();
const choices = ["zh-cmn-Hans-CN", "ja-JP", "en-US"] as const;

const folder = t.testdir();
writeTinySenseVoice(folder, 71);
const symbols = readFileSync(join(folder, "tokens.txt"), "utf8").split("\n");
const tokenOf = (symbol: string) =>
	symbols.findIndex((it) => it.startsWith(`${symbol} `));

/** Another score for Japanese in the row of the language; for Chinese it is 9. */
function withJapanese(score: number) {
	return withRuns((run) => async (feeds, fetches) => {
		const found = await run(feeds, fetches);
		return Object.fromEntries(
			Object.entries(found).map(([name, tensor]) => {
				const { type, dims } = tensor;
				const values = Float32Array.from(tensor.data as Float32Array);
				tensor.dispose();
				values[tokenOf("<|ja|>")] = score;
				const copyTo = (into: Float32Array) => into.set(values);
				return [name, { type, dims, data: values, copyTo, dispose() {} }];
			}),
		);
	});
}

for (const [score, expected] of [
	[0, { language: "zh-cmn-Hans-CN", isSure: true }],
	[8.8, { language: "zh-cmn-Hans-CN", isSure: false }],
	[9.2, { language: "ja-JP", isSure: false }],
	[20, { language: "ja-JP", isSure: true }],
] as const)
	t.test(`a tag of ${score} beside one of 9`, async (t) => {
		const recognizer = await openPublished(folder, withJapanese(score));
		t.teardown(() => recognizer.close());
		t.same(await recognizer.identifyLanguage?.(samples, choices), expected);
	});
