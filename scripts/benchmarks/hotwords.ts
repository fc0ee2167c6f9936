/**
 * What hotwords bring and what they cost: errors on a clip's hotwords and on all its other words, without and with them in the list, among 0 to 20000
 * distractors; how many clips stay as they are, byte by byte, when nobody says any word of the list; and the time of 20000. Beside faster-whisper, which
 * puts hotwords in front of the text as a prompt (at most 223 tokens, some 100 words; sherpa-onnx has none for Whisper).
 * earshot runs in this process, without HTTP: the whole pipeline, voice activity and passages included. Lists are compiled before the clock starts.
 * With --second-ear the same is measured once more with that package, and both for the even and the odd clips apart. --audio takes copies of the clips, as
 * over a telephone, from another folder. --model takes another package than Whisper: a model that writes Chinese as pinyin is compared syllable by syllable.
 * Usage: scripts/bench hotwords [--only earshot,faster-whisper] [--lang zh,ja,en] [--distractors 0,20,...] [--weight W] [--second-ear FOLDER] [--audio FOLDER]
 *   [--model FOLDER] [--halves] [--clips] [--record]
 */

import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { EngineCore } from "../../runtime/engine/child/engine-core.js";
import type { Manifest } from "../../runtime/models/manifest.js";
import { type Clip, languages, readClips } from "./clips.js";
import { type Contender, startContenders } from "./contender.js";
import {
	change,
	countHotwords,
	type HotwordCount,
	missedPercent,
	otherPercent,
	spokenSyllables,
	total,
} from "./hotwords/hotword-scoring.js";
import { InProcessEarshot, type TimedText } from "./hotwords/in-process.js";
import { WordLists } from "./hotwords/word-lists.js";
import { judged, type Measurement, report } from "./report.js";
import { type ScoredLanguage, scoringUnits } from "./scoring.js";
import { readWav } from "./wav.js";

const { values } = parseArgs({
	options: {
		only: { type: "string", default: "earshot,faster-whisper" },
		lang: { type: "string" },
		distractors: { type: "string", default: "0,20,100,1000,20000" },
		weight: { type: "string", default: "0.4" },
		"second-ear": { type: "string" },
		audio: { type: "string" },
		model: { type: "string", default: "models/whisper-base" },
		halves: { type: "boolean", default: false },
		clips: { type: "boolean", default: false },
		record: { type: "boolean", default: false },
	},
});
const threads = 2;
const counts = values.distractors.split(",").map(Number);
const weight = Number(values.weight);
const hasPeer = values.only.includes("faster-whisper");
/** What its prompt holds. */
const peerDistractorsMax = 100;
const pointsMax: Readonly<Record<number, number>> = { 100: 0.3, 20000: 1 };
const identicalMin = 98;
const costMax = 10;

const { zipformer } = JSON.parse(
	readFileSync(join(values.model, "model.json"), "utf8"),
) as Partial<Pick<Manifest, "zipformer">>;
const unitsOf = (language: ScoredLanguage) => (text: string) =>
	zipformer?.units === "pinyin"
		? spokenSyllables(text)
		: scoringUnits(text, language);

const clips = (readClips() ?? []).filter(
	(clip) =>
		(values.audio === undefined ||
			existsSync(join(values.audio, basename(clip.path)))) &&
		clip.reference !== undefined &&
		(values.lang?.split(",").includes(clip.language) ?? true),
);
if (clips.length === 0) process.exit(1);
const lists = new WordLists(clips);
const earshot = new InProcessEarshot({
	modelFolder: values.model,
	threads,
	weight,
});
const secondEarFolder = values["second-ear"];
/** The same with and without a second ear. */
const ours: Variant[] = [
	{ name: "", core: await earshot.open(), plain: new Map() },
];
if (secondEarFolder !== undefined)
	ours.push({
		name: "with the second ear: ",
		core: await earshot.open(secondEarFolder),
		plain: new Map(),
	});
const [peer] = hasPeer
	? await startContenders(["faster-whisper"], threads)
	: [];

interface Variant {
	readonly name: string;
	readonly core: EngineCore;
	/** Without a list. */
	readonly plain: Map<Clip, TimedText>;
}

const peerPlain = new Map<Clip, TimedText>();
for (const clip of clips) {
	for (const one of ours) one.plain.set(clip, await recognize(one, clip));
	if (peer) peerPlain.set(clip, await recognizeByPeer(peer, clip));
}
const measurements: Measurement[] = [];
for (const count of counts)
	measurements.push(...(await withDistractors(count)));
for (const count of [100, 20000])
	if (counts.includes(count))
		for (const one of ours)
			measurements.push(await withUnspokenWords(one, count));
for (const { core } of ours) await core.close();
await peer?.close();
earshot.close();
report(measurements, values.record);

async function withDistractors(count: number): Promise<Measurement[]> {
	const theirsWithout: HotwordCount[] = [];
	const theirs: HotwordCount[] = [];
	const counted = ours.map((variant) => ({
		variant,
		without: [] as HotwordCount[],
		after: [] as HotwordCount[],
	}));
	for (const clip of clips) {
		const hotwords = lists.hotwordsOf(clip);
		const entries = [...hotwords, ...lists.distractorsOf(clip, count)];
		const judge = (text: string) =>
			countHotwords(
				clip.reference ?? "",
				text,
				unitsOf(clip.language),
				hotwords,
			);
		for (const { variant, without, after } of counted) {
			const before = variant.plain.get(clip)?.text ?? "";
			const { text } = await recognize(variant, clip, entries);
			if (values.clips && text !== before)
				console.log(
					`${variant.name}${clip.name} ${count}\n- ${before}\n+ ${text}`,
				);
			without.push(judge(before));
			after.push(judge(text));
		}
		if (!peer || count > peerDistractorsMax) continue;
		theirsWithout.push(judge(peerPlain.get(clip)?.text ?? ""));
		theirs.push(judge((await recognizeByPeer(peer, clip, entries)).text));
	}
	return counted.map(({ variant: { name }, without, after }) => {
		for (const language of languages)
			printLanguage(`${name}${language} ${count}`, language, without, after);
		const points = otherPercent(after) - otherPercent(without);
		const limit = pointsMax[count];
		const halved = missedPercent(after) <= missedPercent(without) / 2;
		return {
			what: `${name}hotwords missed / errors elsewhere, %, without -> with, ${count} distractors`,
			earshot: change(without, after),
			fasterWhisper:
				name === "" && theirs.length > 0 ? change(theirsWithout, theirs) : "-",
			goal:
				judged("misses halved", halved) +
				(limit === undefined
					? ""
					: `; ${judged(`elsewhere <= +${limit}`, points <= limit)}`),
		};
	});
}

/** One list a language that nobody says a word of, for all clips. */
async function withUnspokenWords(
	variant: Variant,
	count: number,
): Promise<Measurement> {
	const shared = new Map<ScoredLanguage, readonly string[]>();
	for (const language of languages)
		shared.set(language, lists.distractors(language, count));
	let identical = 0;
	let seconds = 0;
	let secondsPlain = 0;
	const warm = new Set<ScoredLanguage>();
	for (const clip of clips) {
		const entries = shared.get(clip.language);
		if (!warm.has(clip.language)) await recognize(variant, clip, entries);
		warm.add(clip.language);
		// in turn: both see the same machine
		const before = await recognize(variant, clip);
		const after = await recognize(variant, clip, entries);
		if (after.text === before.text) identical++;
		else if (values.clips)
			console.log(
				`${variant.name}${clip.name}\n- ${before.text}\n+ ${after.text}`,
			);
		secondsPlain += before.seconds;
		seconds += after.seconds;
	}
	const percent = (100 * identical) / clips.length;
	const cost = 100 * (seconds / secondsPlain - 1);
	return {
		what: `${variant.name}hotwords: clips unchanged by ${count} words that nobody says; more time`,
		earshot: `${percent.toFixed(1)} % of ${clips.length}; ${cost.toFixed(1)} %`,
		goal: `${judged(`>= ${identicalMin} %`, percent >= identicalMin)}${count < 20000 ? "" : `; ${judged(`<= ${costMax} %`, cost <= costMax)}`}`,
	};
}

/** @param entries hotwords; the same array is the same list, compiled once. */
function recognize(
	{ core }: Variant,
	{ path, language }: Clip,
	entries?: readonly string[],
): Promise<TimedText> {
	const samples = readWav(
		values.audio ? join(values.audio, basename(path)) : path,
	);
	return earshot.recognize(core, samples, language, entries);
}

function recognizeByPeer(
	contender: Contender,
	{ path, language }: Clip,
	hotwords?: readonly string[],
): Promise<TimedText> {
	return contender.recognize({
		path,
		language,
		...(hotwords && { hotwords: hotwords.join(" ") }),
	});
}

/** All clips of a language, and, with a second ear or on request, every other one of them. */
function printLanguage(
	what: string,
	language: ScoredLanguage,
	without: readonly HotwordCount[],
	after: readonly HotwordCount[],
): void {
	const mine = clips.flatMap((clip, i) =>
		clip.language === language ? [i] : [],
	);
	const print = (name: string, indices: readonly number[]) => {
		const of = (all: readonly HotwordCount[]) =>
			indices.map((i) => all[i] as HotwordCount);
		const spoken = total(of(after), "spoken");
		if (spoken === 0) return;
		console.log(
			`${what}${name}: of ${spoken} hotwords missed ${total(of(without), "missed")} -> ${total(of(after), "missed")}, errors elsewhere ${total(of(without), "otherErrors")} -> ${total(of(after), "otherErrors")} of ${total(of(after), "others")}`,
		);
	};
	print("", mine);
	if (ours.length === 1 && !values.halves) return;
	print(
		", even clips",
		mine.filter((_, at) => at % 2 === 0),
	);
	print(
		", odd clips",
		mine.filter((_, at) => at % 2 === 1),
	);
}
