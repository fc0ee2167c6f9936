/**
 * A tiny model of each kind as earshot hears with it, against what sherpa-onnx answered on the same files (kind-answers.json; recorded by
 * scripts/models/kind-answers): the same tokens, times and scores.
 */
import { readFileSync } from "node:fs";
import t from "tap";
import type { TimedToken } from "../../runtime/models/writing/token-writing.js";
import {
	type KindAnswer,
	kindCases,
	parseAnswers,
	speechPieces,
	writtenCases,
} from "./cases.js";
import { openModel, tokensOf } from "./models.js";

const answers = parseAnswers(
	readFileSync("test/kinds/kind-answers.json", "utf8"),
);
const { folderOf, dispose } = writtenCases();
t.teardown(dispose);

const logpToleranceMax = 1e-3;
const secondsToleranceMax = 1e-4;

function farthest(a: readonly number[], b: readonly number[]): number {
	return Math.max(0, ...a.map((it, i) => Math.abs(it - (b[i] ?? Infinity))));
}

/** As sherpa-onnx prints a symbol. */
const printed = (symbol: string) => symbol.replaceAll("\u2581", " ").trim();

for (const { name, peer } of kindCases)
	t.test(`${name}: tokens, times and scores of sherpa-onnx`, async (t) => {
		const pieces = speechPieces(peer.longerPieces);
		const model = await openModel(folderOf(name));
		const recorded = answers[name] ?? [];
		t.ok(recorded.length >= pieces.length);
		const printedTokens = (found: readonly TimedToken[]) =>
			found.map(({ token }) => printed(model.symbols.symbol(token)));
		let spoken = 0;
		for (const answer of recorded as readonly KindAnswer[]) {
			const samples = pieces[answer.piece] as Float32Array;
			const found = await tokensOf(model, { samples, beam: answer.beam });
			const which = `piece ${answer.piece}, beam ${answer.beam}`;
			t.same(printedTokens(found), answer.tokens.map(printed), which);
			const seconds = found.map((it) => it.seconds);
			if (answer.seconds.length > 0)
				t.ok(farthest(answer.seconds, seconds) < secondsToleranceMax, which);
			const logp = found.map((it) => it.logp);
			if (answer.logp.length > 0)
				t.ok(farthest(answer.logp, logp) < logpToleranceMax, which);
			spoken += found.length;
		}
		t.ok(spoken > 5 * recorded.length, "it says something");
		t.ok(
			new Set(recorded.flatMap((it) => it.tokens)).size > 8,
			"and not always the same",
		);
		await model.close();
	});
