/**
 * Wake words: how many calls are found, how often one is found where none was said, and what listening costs. A call is a run of four characters of a
 * clip's own transcript, so that every voice at hand calls, in the middle of a sentence; false wakes are of usual wake words that nobody says in the clips.
 * followed: calls cut out of the clips, and a command that follows. quiet: what listening costs while nobody speaks.
 * Usage: scripts/bench wake [--ear FOLDER] [--snr 10] [--hours 1] [--words 小智小智,你好小智] [--threshold 0.4] [--only calls,followed,false,quiet] [--idle 30] [--each] [--record]
 * --hours is how much audio false wakes are counted in, at least: the clips in all languages, from a distance and over the telephone, and noise, again and
 * again at other levels. --each prints what was missed or found.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Spotted } from "../../runtime/models/keyword-spotter.js";
import { defaultThreshold } from "../../runtime/words/wake-word.js";
import { type Clip, clipsDirectory, languages, readClips } from "./clips.js";
import { type DegradedKind, degradedClips } from "./joined/degraded.js";
import { judged, type Measurement, report } from "./report.js";
import type { ScoredLanguage } from "./scoring.js";
import { median } from "./statistics.js";
import { measureFollowed } from "./wake/followed.js";
import { measureQuiet } from "./wake/quiet.js";
import { openSpotting } from "./wake/spotting.js";
import { readWav, sampleRateHz, toFloat } from "./wav.js";

const { values } = parseArgs({
	options: {
		ear: { type: "string", default: "../shared/models/zipformer-zh-3.3M" },
		snr: { type: "string", default: "10" },
		hours: { type: "string", default: "1" },
		words: {
			type: "string",
			default:
				"小智小智,你好小智,小爱同学,天猫精灵,你好小明,小度小度,小艺小艺,机器人你好",
		},
		threshold: { type: "string", default: `${defaultThreshold}` },
		only: { type: "string", default: "calls,followed,false,quiet" },
		idle: { type: "string", default: "30" },
		each: { type: "boolean", default: false },
		record: { type: "boolean", default: false },
	},
});
const thresholds = [0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7];
const threshold = Number(values.threshold);
const parts = values.only.split(",");
/** Characters of a call, and of what is skipped between two calls of a clip. */
const callCharacters = 4;
const callsMax = 10;
/** Of a clip, cut out of it. */
const followedCalls = 2;

/** Speech over noise of the distant copies, dB, and level, of each round. */
const rounds = [
	{ snrDb: 10, gain: 1 },
	{ snrDb: 20, gain: 0.3 },
	{ snrDb: 5, gain: 2 },
	{ snrDb: 15, gain: 0.1 },
	{ snrDb: 0, gain: 0.6 },
] as const;

const clips = readClips() ?? [];
if (clips.length === 0 || !existsSync(values.ear)) {
	console.error(`no clips, or ${values.ear} is missing`);
	process.exit(1);
}
const spotting = await openSpotting(values.ear);
const measurements: Measurement[] = [];
if (parts.includes("calls")) {
	const copies = copiesOf(["zh"], Number(values.snr));
	await measureCalls("clean", copies.clean, 95);
	await measureCalls("far", copies.far, 85);
	await measureCalls("phone", copies.phone, undefined);
}
if (parts.includes("followed")) {
	await measureCommands("clean", 95, undefined);
	await measureCommands("far", 85, Number(values.snr));
}
if (parts.includes("false")) await measureFalse();
await spotting.close();
if (parts.includes("quiet")) await measureQuietRoom();
report(measurements, values.record);

/** @param snrDb of those from a distance. */
function copiesOf(wanted: readonly ScoredLanguage[], snrDb: number) {
	const copies = (kind: DegradedKind) =>
		wanted.flatMap((it) => degradedClips(clips, kind, it, snrDb));
	return { clean: clips, far: copies("far"), phone: copies("phone") };
}

function samplesOf(path: string): Float32Array {
	return toFloat(readWav(path));
}

/** Every other run of four characters: one that is found ends the search for what overlaps it. */
function callsOf({ reference = "" }: Clip): readonly string[] {
	const runs = reference.match(/\p{Script=Han}+/gu) ?? [];
	const calls = runs.flatMap((run) => {
		const characters = Array.from(run);
		const found: string[] = [];
		for (let at = 0; at + callCharacters <= characters.length; at += 8)
			found.push(characters.slice(at, at + callCharacters).join(""));
		return found;
	});
	return [...new Set(calls)].slice(0, callsMax);
}

async function measureCalls(
	kind: string,
	copies: readonly Clip[],
	goal: number | undefined,
): Promise<void> {
	const confidences: number[] = [];
	let calls = 0;
	for (const clip of copies) {
		if (clip.language !== "zh" || clip.isPhonetic) continue;
		const wanted = callsOf(clip);
		if (wanted.length === 0) continue;
		const spotter = spotting.spotterOf(wanted);
		const { found } = await spotting.find(spotter, samplesOf(clip.path));
		calls += wanted.length;
		for (const phrase of wanted) {
			const best = Math.max(
				...found.map((it) => (it.phrase === phrase ? it.confidence : 0)),
				0,
			);
			confidences.push(best);
			if (values.each && best < threshold)
				console.log(kind, clip.name, phrase, best.toFixed(2));
		}
	}
	const share = (least: number) =>
		(100 * confidences.filter((it) => it >= least).length) / calls;
	console.log(
		`${kind}, ${calls} calls, found by threshold:`,
		thresholds.map((it) => `${it}: ${share(it).toFixed(1)} %`).join(", "),
	);
	const found = share(threshold);
	measurements.push({
		what: `wake: calls found, ${calls} stretches of four characters in ${kind} clips, threshold ${threshold}`,
		earshot: `${found.toFixed(1)} %`,
		goal: goal === undefined ? "-" : judged(`>= ${goal} %`, found >= goal),
	});
}

/** Clips, their copies, and noise, once through. */
function* soundsOf(round: number): Generator<readonly [string, Float32Array]> {
	const { snrDb, gain } = rounds[round % rounds.length] ?? rounds[0];
	const sound = (name: string, path: string) =>
		[name, samplesOf(path).map((it) => clipped(gain * it))] as const;
	for (const [kind, all] of Object.entries(copiesOf(languages, snrDb)))
		for (const { name, path } of all) yield sound(`${kind}-${name}`, path);
	for (const name of ["noise1", "noise2", "noise3"])
		yield sound(name, join(clipsDirectory, "noise", `${name}.wav`));
}

function clipped(sample: number): number {
	return Math.max(-1, Math.min(1, sample));
}

async function measureFalse(): Promise<void> {
	const words = values.words.split(",");
	const spotter = spotting.spotterOf(words);
	const wakes: Spotted[] = [];
	let seconds = 0;
	let speechSeconds = 0;
	const before = process.cpuUsage();
	for (let round = 0; seconds < 3600 * Number(values.hours); round++)
		for (const [name, samples] of soundsOf(round)) {
			if (seconds >= 3600 * Number(values.hours)) break;
			const spotted = await spotting.find(spotter, samples);
			seconds += samples.length / sampleRateHz;
			speechSeconds += spotted.seconds;
			wakes.push(...spotted.found);
			if (values.each)
				for (const { phrase, confidence } of spotted.found)
					console.log("false", name, phrase, confidence.toFixed(2));
		}
	const { user, system } = process.cpuUsage(before);
	const perHour = (least: number, of = words) =>
		wakes.filter((it) => it.confidence >= least && of.includes(it.phrase))
			.length /
		(seconds / 3600);
	const ofOne = (least: number) =>
		Math.max(...words.map((word) => perHour(least, [word])));
	console.log(
		`${(seconds / 3600).toFixed(2)} h, of them ${(speechSeconds / 3600).toFixed(2)} h speech, ${words.length} wake words; false an hour by threshold:`,
		thresholds.map((it) => `${it}: ${perHour(it).toFixed(2)}`).join(", "),
		"; of one of them at most",
		thresholds.map((it) => `${it}: ${ofOne(it).toFixed(2)}`).join(", "),
		`; ${((user + system) / 1e4 / seconds).toFixed(1)} % of a core`,
	);
	measurements.push({
		what: `wake: false wakes an hour, ${words.length} wake words together, ${(seconds / 3600).toFixed(1)} h of speech in three languages and noise, threshold ${threshold}`,
		earshot: perHour(threshold).toFixed(2),
		goal: judged("< 1", perHour(threshold) < 1),
	});
}

async function measureCommands(
	kind: string,
	goal: number,
	snrDb: number | undefined,
): Promise<void> {
	const sources = clips.flatMap((clip) => {
		if (clip.language !== "zh" || clip.isPhonetic) return [];
		const samples = samplesOf(clip.path);
		return callsOf(clip)
			.slice(0, followedCalls)
			.map((phrase) => ({ phrase, samples }));
	});
	for (const pauseSeconds of [0, 1.2]) {
		const { calls, woken, commands, delaysMs } = await measureFollowed(
			spotting,
			sources,
			pauseSeconds,
			snrDb,
			threshold,
		);
		const share = (100 * woken) / calls;
		const found = `${woken} of ${calls} (${share.toFixed(0)} %), ${commands}; ${median(delaysMs).toFixed(0)} / ${delaysMs.at(-1)?.toFixed(0)} ms`;
		console.log(kind, `pause ${pauseSeconds} s:`, found);
		measurements.push({
			what: `wake: ${kind} calls by themselves, ${pauseSeconds} s before a command: found, commands heard; from the call's end to the event, median / longest`,
			earshot: found,
			goal: judged(`>= ${goal} %`, share >= goal),
		});
	}
}

async function measureQuietRoom(): Promise<void> {
	const words = values.words.split(",").slice(0, 2);
	for (const given of [[], words]) {
		const shares = await measureQuiet(values.ear, given, Number(values.idle));
		const whole = shares.reduce((sum, it) => sum + it, 0);
		const text = [whole, ...shares].map((it) => `${(100 * it).toFixed(1)} %`);
		measurements.push({
			what: `wake: CPU of a microphone in a quiet room, ${given.length} wake words: all, main / engine / capture (${values.idle} s)`,
			earshot: `${text[0]} of a core: ${text.slice(1).join(" / ")}`,
			goal: given.length === 0 ? "-" : judged("<= 4 %", whole <= 0.04),
		});
	}
}
