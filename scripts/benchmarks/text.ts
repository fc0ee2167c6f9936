/**
 * What the text steps cost: corrections and forbidden words by the size of their list, and a language's own rules. No model, one thread; the texts and the
 * lists are made from a fixed seed.
 * Usage: scripts/bench text [--record]
 */
import { parseArgs } from "node:util";
import { correct } from "../../runtime/text/corrections.js";
import { mask } from "../../runtime/text/forbidden.js";
import { TextPipeline } from "../../runtime/text/pipeline.js";
import { judged, report } from "./report.js";
import { percentile } from "./statistics.js";

const { values } = parseArgs({
	options: { record: { type: "boolean", default: false } },
});
const entries = 10_000;
const characters = 1000;
const runs = 200;
const millisecondsMax = 5;

let state = 20261121;
function below(limit: number): number {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return Math.floor((state / 2 ** 32) * limit);
}

/** Frequent characters only, so that phrases begin everywhere and some stand in the text. */
const common = [
	..."的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学",
];
function chinese(count: number): string {
	return Array.from({ length: count }, () => common[below(common.length)]).join(
		"",
	);
}

const text = chinese(characters);
const words = Array.from({ length: entries }, () => chinese(2 + below(5)));
const alike = Array.from({ length: entries }, (_, i) =>
	`${"的".repeat(i % 29)}${chinese(1)}${i}`.slice(0, 30),
);

const corrections = {
	key: "corrections",
	entries: words.map((it) => `${it},${it}了`),
};
const forbidden = { key: "forbidden", entries: words };
const hard = { key: "hard", entries: alike };
const pipeline = new TextPipeline({
	language: "zh-cmn-Hans-CN",
	inverseTextNormalization: true,
	modalParticleFilter: true,
	punctuation: true,
});
const sentence =
	"嗯，会议二零二六年三月五号下午三点半开，一共三百二十五个人，百分之三十五在线。";
const spokenText = sentence
	.repeat(Math.ceil(characters / sentence.length))
	.slice(0, characters);

report(
	[
		row(`corrections, ${entries} entries, ${characters} characters`, () =>
			correct(text, corrections),
		),
		row(`forbidden words, ${entries} entries, ${characters} characters`, () =>
			mask(text, [forbidden]),
		),
		row(
			`forbidden words that nearly stand everywhere, ${entries} entries, ${characters} characters`,
			() => mask("的".repeat(characters), [hard]),
		),
		row(`fillers, numbers and punctuation, zh, ${characters} characters`, () =>
			pipeline.write({ text: spokenText, words: [] }),
		),
	],
	values.record,
);

function row(what: string, work: () => unknown) {
	const started = performance.now();
	work();
	const first = performance.now() - started;
	const taken = Array.from({ length: runs }, () => {
		const before = performance.now();
		work();
		return performance.now() - before;
	});
	const half = percentile(taken, 0.5);
	const late = percentile(taken, 0.95);
	return {
		what: `text: ${what}, median / p95 (the first time, lists compiled)`,
		earshot: `${half.toFixed(2)} / ${late.toFixed(2)} ms (${first.toFixed(0)} ms)`,
		goal: judged(`< ${millisecondsMax} ms`, half < millisecondsMax),
	};
}
