/**
 * What the second ear does for Chinese: the same recordings recognized without and with it, in turn, by two servers that differ in nothing else. Clean
 * clips, copies from a distance and over a telephone, several sentences in one recording; errors, the even and the odd clips apart (weights may have been
 * fitted on one half), clips better and worse, right ones that break; whether confidences mean what they say; other languages, which must not change; cost.
 * Usage: scripts/bench second-ear [--ear FOLDER] [--only accuracy,cost] [--sounds clean,distant,telephone,joined,mixed,ja,en] [--texts] [--snr DB] [--save FILE] [--record]
 * --ear is the published syllable recognizer; --texts prints both texts where they differ in errors; --save keeps everything as JSON.
 */
import { existsSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Clip, readClips } from "./clips.js";
import { scriptOf } from "./joined/counts.js";
import { type DegradedKind, degradedClips } from "./joined/degraded.js";
import { type Label, makeRecordings } from "./joined/recordings.js";
import { judged, type Measurement, report } from "./report.js";
import type { ScoredLanguage } from "./scoring.js";
import { measureCost } from "./second-ear/cost.js";
import {
	changeOf,
	countPairs,
	errorsAdded,
	fromTo,
	type Pair,
} from "./second-ear/pairs.js";
import { reliabilities, shownRanges } from "./second-ear/reliability.js";
import {
	type Both,
	inTurn,
	recognizeWith,
	withBoth,
} from "./second-ear/servers.js";
import type { Server } from "./server.js";

const { values } = parseArgs({
	options: {
		ear: { type: "string", default: "../shared/models/zipformer-zh-3.3M" },
		only: { type: "string", default: "accuracy,cost" },
		sounds: {
			type: "string",
			default: "clean,distant,telephone,joined,mixed,ja,en",
		},
		texts: { type: "boolean", default: false },
		snr: { type: "string", default: "10" },
		save: { type: "string" },
		record: { type: "boolean", default: false },
	},
});
const threads = 2;
const brokenShareMax = 0.02;
/** Percent of the errors. */
const fewerMin = { clean: 25, telephone: 35, distant: 15 } as const;
const sets = 4;

if (!existsSync(values.ear)) {
	console.error(`no second ear: ${values.ear} is missing`);
	process.exit();
}
const clips = (readClips() ?? []).filter(
	(clip) => clip.reference !== undefined && !clip.isPhonetic,
);
if (clips.length === 0) process.exit(1);
const isMixed = ({ name }: Clip) => name.startsWith("zh-en-");
const chinese = clips.filter((it) => it.language === "zh" && !isMixed(it));

/** Made before anybody is asked: it takes longer than a server keeps a connection open. */
const sounds = values.only.includes("accuracy") ? makeSounds() : undefined;

await withBoth(values.ear, threads, async (servers) => {
	const measurements: Measurement[] = [];
	if (sounds) measurements.push(...(await measureAccuracy(servers, sounds)));
	if (values.only.includes("cost"))
		measurements.push(...(await measureCost(servers, chinese)));
	report(measurements, values.record);
});

interface Spoken extends Pick<Pair, "name" | "half" | "reference"> {
	readonly path: string;
}

type Sounds = ReturnType<typeof makeSounds>;

function makeSounds() {
	const copies = (kind: DegradedKind) =>
		degradedClips(chinese, kind, "zh", Number(values.snr)).map(spoken);
	const inLanguage = (language: ScoredLanguage) =>
		clips.filter((it) => it.language === language).map(spoken);
	return {
		clean: chinese.map(spoken),
		distant: copies("far"),
		telephone: copies("phone"),
		joined: joinedRecordings("zh"),
		mixed: [...clips.filter(isMixed).map(spoken), ...joinedRecordings("zh-en")],
		ja: inLanguage("ja"),
		en: inLanguage("en"),
	};
}

async function measureAccuracy(
	servers: Both<Server>,
	sounds: Sounds,
): Promise<Measurement[]> {
	const measurements: Measurement[] = [];
	const add = (...found: readonly Measurement[]) => {
		measurements.push(...found);
		for (const { what, earshot } of found) console.log(`${what}: ${earshot}`);
	};
	const alone: Pair[] = [];
	const others: Pair[] = [];
	const all: Pair[] = [];
	for (const name of Object.keys(sounds) as (keyof Sounds)[]) {
		if (!values.sounds.split(",").includes(name)) continue;
		const pairs = await compare(servers, name, sounds[name], labelOf(name));
		all.push(...pairs);
		if (name === "mixed") add(...mixedMeasurements(pairs));
		else if (name === "ja" || name === "en") others.push(...pairs);
		else if (name === "joined")
			add(errorMeasurement("two or three sentences with pauses", pairs));
		else {
			add(errorMeasurement(name, pairs, fewerMin[name]));
			alone.push(...pairs);
		}
	}
	if (alone.length > 0)
		add(brokenMeasurement(alone), ...reliabilityMeasurements(alone));
	if (others.length > 0) add(sameMeasurement(others));
	if (values.save !== undefined)
		writeFileSync(values.save, `${JSON.stringify(all, null, "\t")}\n`);
	return measurements;
}

function labelOf(name: keyof Sounds): Label {
	if (name === "mixed") return "zh-en";
	return name === "ja" || name === "en" ? name : "zh";
}

function spoken(clip: Clip, i: number): Spoken {
	const { name, path, reference = "" } = clip;
	return { name, path, reference, half: i % 2 === 0 ? "even" : "odd" };
}

function joinedRecordings(label: Label): Spoken[] {
	const sentences = clips.filter(
		(it) => !isMixed(it) && it.seconds > 2 && it.seconds < 16,
	);
	return [2, 3].flatMap((number) =>
		[0.6, 1.5].flatMap((pauseSeconds) =>
			makeRecordings(
				sentences,
				{
					label,
					sentences: number,
					pauseSeconds,
					voices: "changing",
					levelDb: 0,
				},
				sets,
			).map(({ path, half, members }) => ({
				name: members.map((it) => it.name).join("+"),
				path,
				half,
				reference: members.map((it) => it.reference).join(" "),
			})),
		),
	);
}

async function compare(
	servers: Both<Server>,
	condition: string,
	recordings: readonly Spoken[],
	label: Label,
): Promise<Pair[]> {
	const pairs: Pair[] = [];
	for (const { path, ...recording } of recordings) {
		const both = await inTurn(servers, (it) => recognizeWith(it, path, label));
		const language = label === "zh-en" ? "zh" : (label as ScoredLanguage);
		const pair = { ...recording, ...both, condition, language };
		pairs.push(pair);
		const added = errorsAdded(pair);
		if (values.texts && added !== 0)
			console.log(
				`${condition} ${pair.name}: ${added > 0 ? "+" : ""}${added}\n  ${pair.reference}\n  ${pair.without.text}\n  ${pair.with.text}`,
			);
	}
	return pairs;
}

function errorMeasurement(
	condition: string,
	pairs: readonly Pair[],
	fewerPercentMin?: number,
): Measurement {
	const all = countPairs(pairs);
	const [even, odd] = (["even", "odd"] as const).map((half) =>
		countPairs(pairs.filter((it) => it.half === half)),
	);
	const fewer = 100 * (1 - all.errors.with / all.errors.without);
	return {
		what: `second ear: zh, ${condition}: errors without -> with (even, odd); better, worse of ${all.recordings}`,
		earshot: `${fromTo(all.errors)}, ${changeOf(all.errors)} (${even && fromTo(even.errors)}, ${odd && fromTo(odd.errors)}); ${all.better}, ${all.worse}`,
		goal:
			fewerPercentMin === undefined
				? "fewer"
				: judged(
						`${fewerPercentMin} % fewer`,
						Number(fewer.toFixed(1)) >= fewerPercentMin,
					),
	};
}

/** Each language by its letters. */
function mixedMeasurements(pairs: readonly Pair[]): Measurement[] {
	return (["zh", "en"] as const).map((language) => {
		const own = pairs.map(({ without, with: joint, ...pair }) => ({
			...pair,
			language,
			reference: scriptOf(pair.reference, language),
			without: { ...without, text: scriptOf(without.text, language) },
			with: { ...joint, text: scriptOf(joint.text, language) },
		}));
		const { errors, better, worse, recordings } = countPairs(own);
		return {
			what: `second ear: zh and en in turn, ${language}: errors without -> with; better, worse of ${recordings}`,
			earshot: `${fromTo(errors)}, ${changeOf(errors)}; ${better}, ${worse}`,
			goal: language === "zh" ? "fewer" : "no more",
		};
	});
}

function brokenMeasurement(pairs: readonly Pair[]): Measurement {
	const { right, broken } = countPairs(pairs);
	return {
		what: "second ear: zh texts that are right without it (clean, distant, telephone), and no longer with it",
		earshot: `${broken} of ${right}`,
		goal: judged(
			`<= ${100 * brokenShareMax} %`,
			broken <= brokenShareMax * right,
		),
	};
}

function reliabilityMeasurements(pairs: readonly Pair[]): Measurement[] {
	const { all, changed } = reliabilities(pairs);
	return Object.entries({ all, replaced: changed }).flatMap(([which, both]) =>
		(["without", "with"] as const).map((side) => ({
			what: `second ear: ${which} characters by confidence, ${side} it (${both[side].characters})`,
			earshot: shownRanges(both[side]),
			goal: "-",
		})),
	);
}

function sameMeasurement(pairs: readonly Pair[]): Measurement {
	const { same, recordings } = countPairs(pairs);
	return {
		what: "second ear: ja and en, texts equal to the byte",
		earshot: `${same} of ${recordings}`,
		goal: judged("all", same === recordings),
	};
}
