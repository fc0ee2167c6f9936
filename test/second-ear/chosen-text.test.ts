/** Texts that Whisper and the second ear choose together: the embedded model and the published ear on real speech. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import t from "tap";
import { openSpeech } from "../../runtime/engine/child/speech.js";
import type {
	HotwordOptions,
	Hypothesis,
} from "../../runtime/models/recognizer.js";
import type { Refinement } from "../../runtime/models/refinement.js";
import type { Language } from "../../runtime/text/languages.js";
import { countErrors, errorPercent } from "../../scripts/benchmarks/scoring.js";
import { earshot } from "../cli/earshot.js";
import { realModel } from "../published/cases.js";
import { keptGraphs } from "../whisper/kept-graphs.js";
import {
	missing,
	modelDirectory,
	readWav,
	sharedAudio,
} from "../whisper/packages.js";
import { jointModels } from "./joint-models.js";

const skip = missing(modelDirectory, sharedAudio, realModel);
const clips = ["007", "012", "019", "027"].map(
	(number) => `zh-fleurs-${number}.wav`,
);
const chinese = "zh-cmn-Hans-CN";

let models = "";

const refinements: Refinement[] = [];
let alone: Awaited<ReturnType<typeof opened>>;
let joint: Awaited<ReturnType<typeof opened>>;

t.before(async () => {
	if (skip) return;
	models = await jointModels();
	alone = await opened();
	joint = await opened("ear", refinements);
});

t.teardown(async () => {
	await alone?.speech.close();
	await joint?.speech.close();
});

async function opened(secondEar?: string, refinements: Refinement[] = []) {
	const speech = await openSpeech(
		keptGraphs,
		{
			modelFolder: join(models, "whisper-base"),
			...(secondEar && { secondEarFolder: join(models, secondEar) }),
			threads: 1,
			processor: "cpu",
			verify: false,
		},
		{ onRefined: (it) => refinements.push(it) },
	);
	const known = new Map<string, Promise<Hypothesis>>();
	const recognize = async (
		audio: string | Float32Array,
		language: Language = chinese,
		hotwords?: HotwordOptions,
	) => {
		const found = await speech.recognizer.recognize({
			samples:
				typeof audio === "string" ? readWav(join(sharedAudio, audio)) : audio,
			language,
			beam: 5,
			punctuation: true,
			words: true,
			...(hotwords && { hotwords }),
		});
		if (found === "cancelled") throw new Error("cancelled");
		return found;
	};
	/** Of a whole Chinese clip, once for all tests. */
	const chineseOf = (file: string) => {
		const found = known.get(file) ?? recognize(file);
		known.set(file, found);
		return found;
	};
	return { speech, recognize, chineseOf };
}

function references(): ReadonlyMap<string, string> {
	const manifest = readFileSync(join(sharedAudio, "manifest.json"), "utf8");
	const entries = JSON.parse(manifest) as { file: string; reference: string }[];
	return new Map(entries.map((it) => [it.file, it.reference]));
}

t.test(
	"the text has fewer errors, and all that belongs to it",
	{ skip },
	async (t) => {
		const spoken = references();
		const errorsOf = (found: readonly Hypothesis[]) =>
			errorPercent(
				found.map(({ text }, i) =>
					countErrors(spoken.get(clips[i] as string) ?? "", text, "zh"),
				),
			);
		const before: Hypothesis[] = [];
		const after: Hypothesis[] = [];
		for (const file of clips) {
			before.push(await alone.chineseOf(file));
			after.push(await joint.chineseOf(file));
		}
		const errors = { before: errorsOf(before), after: errorsOf(after) };
		t.comment(JSON.stringify(errors));
		t.ok(errors.after < 0.8 * errors.before, JSON.stringify(errors));
		t.equal(refinements.length, clips.length);
		const changed = after.filter(({ text }, i) => text !== before[i]?.text);
		t.ok(changed.length > 0);
		for (const { text, words, confidence } of after) {
			t.equal(words.map((it) => it.text).join(""), text);
			t.ok(words.every((it) => it.endSeconds >= it.startSeconds));
			const begins = words.map((it) => it.startSeconds);
			t.same(
				begins,
				begins.toSorted((a, b) => a - b),
				"in order of time",
			);
			t.ok(confidence > 0 && confidence <= 1);
		}
	},
);

t.test(
	"speech in another language is recognized as without it",
	{ skip },
	async (t) => {
		const files = {
			"en-US": "en-azure-weather.wav",
			"ja-JP": "ja-julius-1.wav",
		} as const;
		for (const [language, file] of Object.entries(files))
			t.same(
				await joint.recognize(file, language as Language),
				await alone.recognize(file, language as Language),
			);
	},
);

t.test(
	"audio without Chinese speech is recognized as without it",
	{ skip },
	async (t) => {
		const silence = new Float32Array(32_000);
		// a voice that glides around 220 Hz
		const sung = Float32Array.from(
			{ length: 48_000 },
			(_, i) =>
				0.3 *
				Math.sin((2 * Math.PI * 220 * i) / 16_000 + 3 * Math.sin(i / 600)),
		);
		// so clear that it is recognized as English on every processor
		const english = readWav(join(sharedAudio, "en-fwstereo-R.wav"));
		for (const [name, samples] of Object.entries({ silence, sung, english })) {
			const own = await alone.recognize(samples);
			const found = await joint.recognize(samples);
			t.equal(found.text, own.text, name);
		}
	},
);

t.test("0.2 s of speech is refined or left", { skip }, async (t) => {
	const clip = readWav(join(sharedAudio, "zh-aishell-1.wav"));
	const { text, confidence } = await joint.recognize(clip.slice(8000, 11_200));
	t.ok(text.length < 5, text);
	t.ok(confidence >= 0 && confidence <= 1);
});

t.test("Latin words and numbers stay as they were", { skip }, async (t) => {
	const kept = ({ text }: Hypothesis) => text.match(/[A-Za-z0-9]+/g);
	for (const file of ["zh-fleurs-007.wav", "zh-fleurs-019.wav"]) {
		const own = await alone.chineseOf(file);
		t.ok(kept(own), own.text);
		t.same(kept(await joint.chineseOf(file)), kept(own));
	}
});

t.test(
	"hotwords are put in where they are said, and nowhere else",
	{ skip },
	async (t) => {
		const file = "zh-fleurs-025.wav";
		const recognizeWith = async (...entries: readonly string[]) => {
			const list = { key: entries.join(), entries };
			const hotwords = { list, weight: 0.4 };
			for (const _ of joint.speech.recognizer.preparing?.(hotwords, chinese) ??
				[]);
			return joint.recognize(file, chinese, hotwords);
		};
		const plain = await joint.recognize(file, chinese);
		t.notMatch(plain.text, /重蹈覆辙|肆虐/);
		refinements.length = 0;
		const found = await recognizeWith(
			"重蹈覆辙",
			"肆虐",
			"残暴",
			"A股",
			"㐂犇",
			"辙",
			"Coaster",
		);
		// how near the other is to being found depends on the processor
		t.match(found.text, /肆虐残暴/);
		t.equal(found.words.map((it) => it.text).join(""), found.text);
		const [tried] = refinements.at(-1)?.explanation.hotwords ?? [];
		t.ok((tried?.scores.hotwords ?? 0) > 0, "what they earn is explained");
		const traditional = await recognizeWith("重蹈覆轍", "肆虐", "殘暴");
		t.equal(traditional.text, found.text, "a list in traditional characters");
		const unspoken = await recognizeWith(
			"房地产",
			"拉斯卡尼塔斯",
			"锦标赛",
			"小巴车",
			"Scotturb",
		);
		t.same(
			{ text: unspoken.text, confidence: unspoken.confidence },
			{ text: plain.text, confidence: plain.confidence },
			"nobody says any of them",
		);
	},
);

t.test(
	"earshot transcribe --explain shows how a text was chosen",
	{ skip },
	async (t) => {
		const path = resolve(sharedAudio, "zh-aishell-1.wav");
		const ran = await earshot(
			["transcribe", path, "--lang", "zh", "--explain"],
			{
				EARSHOT_MODEL_DIR: models,
				EARSHOT_MODEL_SECOND_EAR: "ear",
			},
		);
		t.equal(ran.code, 0, ran.err);
		t.match(
			ran.out,
			/^audio {7}\d+\.\d s\nrecognized {2}广州.*\nsyllables {3}guang3 zhou1 shi4 /,
		);
		t.match(
			ran.out,
			/^ +total recognizer +end internal syllables segmentation changed$/m,
		);
		t.match(ran.out, /^> +-\d+\.\d .*地产中介协会分析/m);
		t.match(ran.out, /\n\n广州.*地产中介协会分析.*\n$/);
		const none = await earshot(
			["transcribe", path, "--lang", "zh", "--explain"],
			{
				EARSHOT_MODEL_DIR: models,
				EARSHOT_MODEL_SECOND_EAR: "",
			},
		);
		t.match(none, {
			code: 2,
			err: /model.second_ear names none; earshot models add/,
		});
	},
);
