/**
 * Records what sherpa-onnx-node answers on a tiny model of each kind (test/kinds/cases.ts): test/kinds/kind-answers.json.
 * The peer lives in the benchmarks' cache (scripts/benchmarks/peers/setup), not among earshot's dependencies.
 * Usage: node build/scripts/models/kind-answers.js [NAME...]
 */
import { readFileSync, writeFileSync } from "node:fs";
import {
	answerLine,
	type KindAnswer,
	type KindAnswers,
	type KindCase,
	kindCases,
	parseAnswers,
	speechPieces,
	writtenCases,
} from "../../test/kinds/cases.js";
import {
	decodeWithSherpa,
	openSherpa,
	type SherpaRecognizer,
} from "../benchmarks/kinds/sherpa.js";

const output = "test/kinds/kind-answers.json";
/** What a stream gets at once: odd on purpose. */
const chunkSamples = 1237;

const rounded = (values: readonly number[] | undefined) =>
	(values ?? []).map((it) => Math.round(it * 1e5) / 1e5);

function answerOf(
	recognizer: SherpaRecognizer,
	{ peer }: KindCase,
	samples: Float32Array,
) {
	const found = decodeWithSherpa(recognizer, peer, samples, chunkSamples);
	return {
		tokens: found.tokens,
		seconds: rounded(found.timestamps),
		logp: rounded(found.ys_log_probs ?? found.ys_probs),
	};
}

function answersOf(one: KindCase, folder: string): KindAnswer[] {
	return (one.peer.beams ?? [1]).flatMap((beam) => {
		const recognizer = openSherpa(one.peer, folder, { threads: 1, beam });
		return speechPieces(one.peer.longerPieces).map((samples, piece) => ({
			piece,
			beam,
			...answerOf(recognizer, one, samples),
		}));
	});
}

const wanted = process.argv.slice(2);
const cases = kindCases.filter(
	({ name }) => wanted.length === 0 || wanted.includes(name),
);
const { folderOf, dispose } = writtenCases(cases);
let answers: KindAnswers =
	wanted.length === 0 ? {} : parseAnswers(readFileSync(output, "utf8"));
for (const one of cases)
	answers = { ...answers, [one.name]: answersOf(one, folderOf(one.name)) };
dispose();
const lines = Object.fromEntries(
	Object.entries(answers).map(([name, all]) => [name, all.map(answerLine)]),
);
writeFileSync(output, `${JSON.stringify(lines, null, "\t")}\n`);
process.stdout.write(`${output}: ${Object.keys(answers).length} kinds\n`);
