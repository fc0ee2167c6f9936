/**
 * Published models as earshot hears with them, against what sherpa-onnx answered on the same files (published-answers.json; how it was recorded:
 * scripts/models/published-answers). Tiny models always; the real one where it is.
 */

import { readFileSync } from "node:fs";
import { arch } from "node:os";
import t from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import { modelKindOf } from "../../runtime/models/kinds.js";
import { readPublishedModel } from "../../runtime/models/package/published-model.js";
import { SymbolTable } from "../../runtime/models/writing/symbol-table.js";
import type { Language } from "../../runtime/text/languages.js";
import type { WordList } from "../../runtime/words/word-list.js";
import { editDistance } from "../../scripts/benchmarks/scoring.js";
import { withRuns } from "../fixtures/runs.js";
import { holds } from "../fuzz/holds.js";
import { type Answer, publishedCases, realModel } from "./cases.js";
import { openSegmentsChangeNothing } from "./open-segment.property.js";
import { caseOf, clipOf, language, open, transcribe } from "./recognizers.js";

/**
 * The answers were recorded on a processor with VNNI. Without it, ONNX Runtime adds two products of bytes in 16 bits, where they saturate, for us and for
 * sherpa-onnx: a few tokens are others.
 */
const productsSaturate =
	arch() === "x64" && !/_vnni/.test(readFileSync("/proc/cpuinfo", "utf8"));
const answers = JSON.parse(
	readFileSync("test/published/published-answers.json", "utf8"),
) as readonly Answer[];
const { cases, dispose } = publishedCases();
t.teardown(dispose);

t.test(
	"two kinds may use the same name for their graph: its type distinguishes them",
	async (t) => {
		const { folder } = caseOf(cases, "tiny-zipformer");
		const zipformer = modelKindOf("zipformer");
		const other: typeof zipformer = {
			...zipformer,
			name: "sense-voice",
			published: {
				graph: zipformer.published?.graph ?? "",
				types: ["another type"],
				read: () => t.fail("a graph of another type was read") as never,
			},
		};
		for (const kinds of [
			[other, zipformer],
			[zipformer, other],
		]) {
			const { kind } = await readPublishedModel(folder, kinds);
			t.equal(kind, "zipformer");
		}
		await t.rejects(
			readPublishedModel(folder, [other]),
			/is of type zipformer;/,
		);
	},
);

for (const one of cases)
	t.test(`${one.name}: the same tokens as sherpa-onnx's`, async (t) => {
		const recognizer = await open(one);
		const { files, shapes } = await readPublishedModel(one.folder);
		const symbols = new SymbolTable(
			readFileSync(files["tokens.txt"] ?? "", "utf8"),
			shapes.zipformer?.units,
		);
		const recorded = answers.filter(({ model }) => model === one.name);
		t.ok(recorded.length >= 4);
		for (const answer of recorded) {
			const isSense = one.kind === "sense-voice";
			const found = await transcribe(recognizer, {
				samples: clipOf(one, answer.clip),
				beam: isSense ? 1 : answer.beam,
				punctuation: answer.beam === 1,
			});
			const symbolTexts = found.tokens.map((it) =>
				symbols.symbol(it).replaceAll("\u2581", " ").trim(),
			);
			const wanted = answer.tokens.map((it) =>
				it.replaceAll("\u2581", " ").trim(),
			);
			if (productsSaturate && one.folder === realModel)
				t.ok(
					editDistance(symbolTexts, wanted) <= wanted.length / 10,
					`${symbolTexts}`,
				);
			else t.same(symbolTexts, wanted, `${answer.clip}, ${answer.beam}`);
			t.ok(symbolTexts.length > 5, "it says something");
		}
		await recognizer.close();
	});

/** Every output of the joiner, in order. */
function listeningPort(
	onLogits: (logits: Float32Array) => void,
): InferencePort {
	const port = openOnnx();
	return {
		...port,
		open: async (path, options) => {
			const session = await port.open(path, options);
			if (!/joiner/.test(path)) return session;
			return {
				...session,
				run: async (feeds, fetches) => {
					const found = await session.run(feeds, fetches);
					onLogits(Float32Array.from(found.logit?.data as Float32Array));
					return found;
				},
			};
		},
	};
}

/** sherpa-onnx reports probabilities at a temperature of 2. */
function logpOf(logits: Float32Array, token: number): number {
	const sum = logits.reduce((total, it) => total + Math.exp(it / 2), 0);
	return (logits[token] as number) / 2 - Math.log(sum);
}

for (const one of cases.filter(({ kind }) => kind === "zipformer"))
	t.test(`${one.name}: the joiner's scores are sherpa-onnx's`, async (t) => {
		const found: number[] = [];
		const port = listeningPort((logits) => {
			const best = logits.indexOf(Math.max(...logits));
			if (best !== 0 && best !== 2) found.push(logpOf(logits, best));
		});
		const recognizer = await open(one, port);
		const answer = answers.find(
			({ model, beam }) => model === one.name && beam === 1,
		);
		const samples = clipOf(one, answer?.clip ?? "");
		await transcribe(recognizer, { samples, beam: 1 });
		t.equal(found.length, answer?.logp.length);
		const worst = Math.max(
			...found.map((it, i) => Math.abs(it - (answer?.logp[i] ?? 0))),
		);
		// in 8 bits a rounding difference of a feature may change a whole step
		t.ok(worst < (one.folder === realModel ? 0.1 : 1e-3), `worst ${worst}`);
		await recognizer.close();
	});

t.test("open segments", async (t) => {
	await holds(t, await openSegmentsChangeNothing(t), 2);
});

t.test("an open segment is continued, not decoded again", async (t) => {
	let runs = 0;
	const one = caseOf(cases, "tiny-zipformer2");
	const recognizer = await open(
		one,
		listeningPort(() => runs++),
	);
	const samples = clipOf(one, "en-librivox-0880.wav").subarray(0, 64_000);
	const segmentKey = {};
	for (let end = 8000; end <= samples.length; end += 8000)
		await transcribe(recognizer, {
			samples: samples.subarray(0, end),
			open: true,
			segmentKey,
		});
	const whole = Math.floor((samples.length / 160 - 45) / 32 + 1) * 8;
	t.ok(runs <= whole, `${runs} frames searched of ${whole}`);
	t.ok(runs > whole - 16, "and none left out");
	await recognizer.close();
});

t.test("words have times inside the segment, in order", async (t) => {
	for (const name of ["tiny-zipformer2", "tiny-sense-voice"]) {
		const one = caseOf(cases, name);
		const recognizer = await open(one);
		const samples = clipOf(one, "ja-kokoro-station.wav");
		const { words, text, confidence } = await transcribe(recognizer, {
			samples,
			words: true,
		});
		t.ok(words.length > 3, name);
		t.ok(confidence > 0 && confidence < 1);
		let before = 0;
		for (const { text: word, startSeconds, endSeconds } of words) {
			t.ok(text.includes(word));
			t.ok(startSeconds >= before && endSeconds >= startSeconds);
			before = endSeconds;
		}
		t.ok(before <= samples.length / 16_000);
		await recognizer.close();
	}
});

t.test(
	"Chinese has simplified characters, and marks only if requested",
	async (t) => {
		const one = caseOf(cases, "tiny-sense-voice");
		const recognizer = await open(one);
		const samples = clipOf(one, "ja-kokoro-station.wav");
		const plain = await transcribe(recognizer, { samples, punctuation: false });
		const marked = await transcribe(recognizer, { samples });
		t.match(marked.text, /[,，。]/);
		t.notMatch(plain.text, /[,，。]/);
		t.notMatch(marked.text + plain.text, /為/);
		await recognizer.close();
	},
);

t.test("silence and hum give no words", async (t) => {
	for (const name of ["tiny-zipformer2", "tiny-sense-voice"]) {
		const recognizer = await open(caseOf(cases, name));
		const silence = await transcribe(recognizer, {
			samples: new Float32Array(16_000),
		});
		t.same([silence.text, silence.guards], ["", ["inaudible"]]);
		const hum = await transcribe(recognizer, {
			samples: Float32Array.from(
				{ length: 32_000 },
				(_, i) => 0.3 * Math.sin((2 * Math.PI * 440 * i) / 16_000),
			),
		});
		t.same([hum.text, hum.guards], ["", ["steady"]]);
		await recognizer.close();
	}
});

t.test("a cancelled segment ends between chunks", async (t) => {
	for (const name of ["tiny-zipformer2", "tiny-sense-voice"]) {
		const one = caseOf(cases, name);
		const recognizer = await open(one);
		const found = await recognizer.recognize({
			samples: clipOf(one, "ja-kokoro-station.wav"),
			language,
			beam: 4,
			punctuation: false,
			words: false,
			cancelled: () => true,
		});
		t.equal(found, "cancelled");
		await recognizer.close();
	}
});

function listOf(...entries: string[]): WordList {
	return { key: entries.join(), entries };
}

/** Two tokens that follow each other in no hypothesis, so that the bonus decides. */
t.test("hotwords are found where they were nearly found without", async (t) => {
	for (const [name, word] of [
		["tiny-zipformer2", "来是"],
		["tiny-sense-voice", "到中"],
	] as const) {
		const one = caseOf(cases, name);
		const recognizer = await open(one);
		const samples = clipOf(one, "ja-kokoro-station.wav");
		const plain = await transcribe(recognizer, { samples, punctuation: false });
		const biased = await transcribe(recognizer, {
			samples,
			punctuation: false,
			hotwords: { list: listOf(word), weight: 1 },
		});
		const count = (text: string) => text.split(word).length - 1;
		t.ok(
			count(biased.text) > count(plain.text),
			`${name}: ${plain.text} | ${biased.text}`,
		);
		await recognizer.close();
	}
});

t.test(
	"zipformer-zh-3.3M: a Chinese hotword is found by its syllables",
	{
		skip: cases.some((it) => it.name === "zipformer-zh-3.3M")
			? false
			: "no real model here",
	},
	async (t) => {
		const one = caseOf(cases, "zipformer-zh-3.3M");
		const recognizer = await open(one);
		const samples = clipOf(one, "5.wav");
		const plain = await transcribe(recognizer, { samples });
		t.match(plain.text, /^zhū wàng jūn jiù luò/);
		const biased = await transcribe(recognizer, {
			samples,
			hotwords: { list: listOf("周望军", "女儿"), weight: 0.4 },
		});
		t.match(biased.text, /^zhōu wàng jūn jiù luò shí/);
		const other = await transcribe(recognizer, {
			samples,
			hotwords: { list: listOf("文森特卡索", "女儿"), weight: 0.4 },
		});
		t.equal(other.text, plain.text);
		await recognizer.close();
	},
);

t.test(
	"SenseVoice's language is reported, not written into the text",
	async (t) => {
		const one = caseOf(cases, "tiny-sense-voice");
		const recognizer = await open(one);
		const samples = clipOf(one, "ja-kokoro-station.wav");
		const transcribeAs = async (language: Language) =>
			transcribe(recognizer, { samples, language });
		// the tiny model detects Chinese if no language is given
		const mixed = await transcribeAs("zh-cmn-Hans-CN-en-US");
		t.equal(mixed.spokenIn, "zh-cmn-Hans-CN");
		for (const found of [
			mixed,
			await transcribeAs("en-US"),
			await transcribeAs("ja-JP"),
		]) {
			t.notMatch(found.text, /<|\|>|Speech|NEUTRAL|withitn|woitn/);
			t.ok(found.text.length > 5);
		}
		t.equal((await transcribeAs("zh-cmn-Hans-CN")).spokenIn, undefined);
		await recognizer.close();
	},
);

t.test("weights that are not finite are a fault, not a text", async (t) => {
	for (const name of ["tiny-zipformer2", "tiny-sense-voice"]) {
		const broken = withRuns((run) => async (feeds, fetches) => {
			const found = await run(feeds, fetches);
			for (const tensor of Object.values(found))
				if (tensor.type === "float32")
					(tensor.data as Float32Array).fill(Number.NaN);
			return found;
		});
		const one = caseOf(cases, name);
		const recognizer = await open(one, broken);
		await t.rejects(
			transcribe(recognizer, { samples: clipOf(one, "ja-kokoro-station.wav") }),
			{ name: "ModelFault", message: /not finite/ },
		);
		await recognizer.close();
	}
});
