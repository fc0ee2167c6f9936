/** Texts that repeat themselves: what is left of a loop has its own confidence. */
import t from "tap";
import type { SegmentRequest } from "../../runtime/models/recognizer.js";
import { calibrated, mean } from "../../runtime/models/whisper/confidence.js";
import { transcribe } from "./packages.js";
import {
	type Scripted,
	scriptedRequest,
	scriptedWhisper,
	tokenOf,
} from "./scripted-whisper.js";

const times = (count: number, ...script: Scripted[]): Scripted[] =>
	Array.from({ length: count }, () => script).flat();

/** The same text in every context. */
async function hypothesisOf(
	script: readonly Scripted[],
	changed: Partial<SegmentRequest> = {},
) {
	const { recognizer, alive } = await scriptedWhisper({
		10: script,
		20: script,
	});
	const found = await transcribe(recognizer, {
		...scriptedRequest,
		...changed,
	});
	t.equal(alive(), 0, "every tensor was given back");
	return found;
}

t.test("a text cut out of a loop is as certain as without it", async (t) => {
	const text: Scripted[] = [
		[" so", -0.9],
		[" I", -0.6],
		[" see", -0.9],
	];
	const end: Scripted = ["", -0.8]; // the mean of the text's tokens, so that it changes nothing
	const looping = [...text, ...times(20, [" see", -0.001])];
	const settled = { prefixTokens: [tokenOf(" so")] };
	const endOfTwo: Scripted = ["", -0.75];
	const cases = [
		[looping, end, {}, "in a loop"],
		[looping, endOfTwo, settled, "after a settled token"],
	] as const;
	for (const [script, normalEnd, changed, name] of cases) {
		const cut = await hypothesisOf(script, changed);
		t.ok(cut.guards.includes("repetition: truncated"), name);
		const normal = await hypothesisOf([...text, normalEnd], changed);
		t.equal(cut.text, normal.text, name);
		const off = Math.abs(cut.confidence - normal.confidence);
		t.ok(off < 1e-6, `${name}: ${cut.confidence}, not ${normal.confidence}`);
		t.equal(cut.words.length, 3);
		cut.words.forEach(({ text, confidence }, i) => {
			const wanted = normal.words[i]?.confidence ?? 0;
			t.ok(
				Math.abs(confidence - wanted) < 1e-6,
				`${name}: ${text} ${confidence}, not ${wanted}`,
			);
		});
	}
});

t.test("a text that has no end counts its last token", async (t) => {
	// two seconds have at most 44 tokens
	const script = Array.from({ length: 44 }, (_, i): Scripted => {
		const word = [" I", " see", " nine", " ten", " so"][((i * i) >> 2) % 5];
		return [word ?? "", i < 43 ? -0.3 : -0.9];
	});
	const { confidence, tokens } = await hypothesisOf(script);
	t.equal(tokens.length, 44);
	const logp = script.map(([, likely]) => likely);
	const wanted = mean(logp.map((one) => calibrated(one, mean(logp))));
	t.ok(Math.abs(confidence - wanted) < 1e-6, `${confidence}, not ${wanted}`);
});
