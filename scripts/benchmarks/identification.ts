/**
 * Which language is found where `lang_type` is `auto`, and after how much speech: passages of real speech, three to a clip at most, judged as a live session judges what
 * is still being said. In two halves, by the last character of the clip's name.
 * Usage: scripts/bench identification [--record]
 */
import { parseArgs } from "node:util";
import { openOnnx } from "../../drivers/onnx/session.js";
import { identifyLanguage } from "../../runtime/engine/child/identified-language.js";
import { loadModels } from "../../runtime/engine/child/models.js";
import type { Language } from "../../runtime/text/languages.js";
import { langTypes, languages, readClips } from "./clips.js";
import { report } from "./report.js";
import { sum } from "./statistics.js";
import { readWav, sampleRateHz, toFloat } from "./wav.js";

const { values } = parseArgs({
	options: { record: { type: "boolean", default: false } },
});
/** Where passages begin: at the first sound, and later in the clip. */
const beginSeconds = [0, 4.1, 8.3];
/** When a session has something new to judge. */
const judgedSeconds = [1.2, 1.6, 2, 2.5];
const audible = 0.02;

const choices = languages.map((it) => langTypes[it] as Language);
const models = await loadModels(openOnnx(), {
	modelFolder: "models/whisper-base",
	voiceActivityFolder: "models/silero-vad",
	threads: 1,
	processor: "cpu",
	verify: false,
});

interface Judged {
	readonly half: number;
	readonly isRight: boolean;
	readonly wasRightAtFirst: boolean;
	readonly seconds: number;
}

const judged: Judged[] = [];
for (const { name, path, language } of readClips() ?? []) {
	if (/alnum|^zh-en/.test(name)) continue; // letters and digits; both languages
	const all = toFloat(readWav(path));
	const first = all.findIndex((it) => Math.abs(it) >= audible);
	const begin = Math.max(0, first - sampleRateHz / 10);
	for (const offset of beginSeconds) {
		const from = begin + Math.round(offset * sampleRateHz);
		if (from + 2.6 * sampleRateHz > all.length) break;
		const found = await judge(all.subarray(from), langTypes[language]);
		const half = name.codePointAt(name.length - 1) ?? 0;
		if (found) judged.push({ half: half % 2, ...found });
	}
}
await models.close();

/** @param speech that goes on. */
async function judge(speech: Float32Array, spoken: string) {
	const { recognizer } = models;
	let first: Language | undefined;
	for (const seconds of judgedSeconds) {
		const segment = { samples: speech.slice(0, seconds * sampleRateHz) };
		first ??= (await recognizer.identifyLanguage?.(segment.samples, choices))
			?.language;
		const decode = { urgency: "partial", segment } as Parameters<
			typeof identifyLanguage
		>[2];
		const found = await identifyLanguage(recognizer, choices, decode);
		if (!found || found === "too-early") continue;
		const isRight = found.language === spoken;
		return { isRight, wasRightAtFirst: first === spoken, seconds };
	}
	return undefined;
}

const wrong = (some: readonly Judged[], key: "isRight" | "wasRightAtFirst") =>
	`${some.filter((it) => !it[key]).length} of ${some.length}`;
const halves = [0, 1].map((half) => judged.filter((it) => it.half === half));

report(
	[
		{
			what: "identification: passages in another language than was found, each half; by the first 1.2 s alone; mean of the speech that it took",
			earshot: [
				halves.map((it) => wrong(it, "isRight")).join(", "),
				halves.map((it) => wrong(it, "wasRightAtFirst")).join(", "),
				`${(sum(judged.map((it) => it.seconds)) / judged.length).toFixed(2)} s`,
			].join("; "),
			goal: "-",
		},
	],
	values.record,
);
