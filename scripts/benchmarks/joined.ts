/**
 * What becomes of several sentences in one recording: clips joined with pauses, in one language or in two that take turns, beside the same clips alone and
 * beside the peer on the same recordings. A sentence is lost where next to nothing of it stands in the text though it is understood alone. Each recording
 * is made of the even clips or of the odd ones, and both halves are reported.
 * Usage: scripts/bench joined [--via http,websocket,transcriber,file,command,faster-whisper] [--lang zh,ja,en,zh-en,ja-en] [--n 2,3,5] [--pause 0.3,0.6,1.5,3]
 *                             [--voices changing,same] [--level 0,30] [--sets N] [--lost] [--save FILE] [--record]
 *        scripts/bench joined --minutes 10 --sets 1 [...]    recordings of that length instead of --n sentences, clips come again
 *        scripts/bench joined --degraded far,phone [--via http,faster-whisper] [--snr DB]    the same clips from a distance, or over a telephone
 * --sets is the number of recordings of each half; --lost prints what became of each lost sentence; --save keeps all results as JSON.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Clip, languages, readClips } from "./clips.js";
import { JoinedCounts } from "./joined/counts.js";
import { type DegradedKind, degradedClips } from "./joined/degraded.js";
import {
	type InterfaceName,
	interfaceNames,
	openPeer,
	productInterface,
	type Recognize,
} from "./joined/interfaces.js";
import {
	halves,
	type Label,
	labels,
	makeRecordings,
	type Plan,
} from "./joined/recordings.js";
import { judged, type Measurement, report } from "./report.js";
import { countErrors, errorPercent } from "./scoring.js";
import { withServer } from "./server.js";

const { values } = parseArgs({
	options: {
		via: { type: "string", default: "http,file,faster-whisper" },
		lang: { type: "string", default: labels.join(",") },
		n: { type: "string", default: "2,3,5" },
		pause: { type: "string", default: "0.3,0.6,1.5,3" },
		voices: { type: "string", default: "changing" },
		level: { type: "string", default: "0" },
		minutes: { type: "string" },
		sets: { type: "string", default: "4" },
		degraded: { type: "string" },
		snr: { type: "string", default: "10" },
		lost: { type: "boolean", default: false },
		save: { type: "string" },
		record: { type: "boolean", default: false },
	},
});
const threads = 2;
const pointsMax = 2;
const minutes =
	values.minutes === undefined ? undefined : Number(values.minutes);
const lengths =
	minutes === undefined ? `${values.n} sentences` : `${minutes} minutes`;
/** Sentences, not words and not stories. */
const seconds = { min: 2, max: 16 };

const chosen = <Name extends string>(list: string, known: readonly Name[]) =>
	list.split(",").map((it) => {
		const name = known.find((one) => one === it);
		if (name === undefined)
			throw new Error(`${it} is none of ${known.join(", ")}`);
		return name;
	});
const numbers = (list: string) => list.split(",").map(Number);

const clips = (readClips() ?? []).filter(
	(clip) =>
		clip.reference !== undefined &&
		!clip.isPhonetic &&
		clip.seconds > seconds.min &&
		clip.seconds < seconds.max &&
		!/^zh-en-|alnum|cards/.test(clip.name),
);
if (clips.length === 0) process.exit(1);

const via = chosen(values.via, interfaceNames);
const wantedLabels = chosen(values.lang, labels);
const kinds = chosen<DegradedKind>(values.degraded ?? "far", ["far", "phone"]);
const saved: object[] = [];

const measure = values.degraded === undefined ? measureJoined : measureDegraded;
/** Made before anybody is asked: it takes longer than a server keeps a connection open. */
const copies = values.degraded === undefined ? [] : makeCopies();
const measurements: Measurement[] = [];
const own = via.filter((it) => it !== "faster-whisper");
if (own.length > 0)
	await withServer(
		{
			EARSHOT_ENGINE_THREADS: `${threads}`,
			EARSHOT_AUTH_RATE_PER_SECOND: "0",
		},
		async (server) => {
			for (const name of own)
				measurements.push(
					...(await measure(name, productInterface(name, server))),
				);
		},
	);
if (via.includes("faster-whisper")) {
	const { recognize, close } = await openPeer(threads);
	measurements.push(...(await measure("faster-whisper", recognize)));
	await close();
}
if (values.save !== undefined)
	writeFileSync(values.save, `${JSON.stringify(saved, null, "\t")}\n`);
report(measurements, values.record);

function plansOf(label: Label): Plan[] {
	return chosen(values.voices, ["changing", "same"] as const).flatMap(
		(voices) =>
			(minutes === undefined ? numbers(values.n) : [0]).flatMap((sentences) =>
				numbers(values.pause).flatMap((pauseSeconds) =>
					numbers(values.level).map((levelDb) => ({
						label,
						sentences,
						pauseSeconds,
						voices,
						levelDb,
						...(minutes !== undefined && { minutes }),
					})),
				),
			),
	);
}

async function measureJoined(name: InterfaceName, recognize: Recognize) {
	const aloneOf = await recognizeAlone(recognize);
	const rows: Measurement[] = [];
	for (const label of wantedLabels) {
		const all = new JoinedCounts();
		for (const plan of plansOf(label)) {
			const counts = new JoinedCounts();
			const recordings = makeRecordings(clips, plan, Number(values.sets));
			const texts = await recognize(recordings);
			recordings.forEach((recording, i) => {
				for (const it of [counts, all])
					it.add(recording, texts[i] as string, aloneOf);
			});
			if (recordings.length > 0) reportPlan(name, plan, counts);
		}
		rows.push(measurementOf(name, label, all));
	}
	return rows;
}

/** Every clip of the wanted languages by itself, each in its own language. */
async function recognizeAlone(recognize: Recognize) {
	const spoken = wantedLabels.flatMap((it) => it.split("-"));
	const wanted = clips.filter(({ language }) => spoken.includes(language));
	const texts = await recognize(
		wanted.map(({ path, language }) => ({ path, label: language })),
	);
	const byName = new Map(
		wanted.map(({ name }, i) => [name, texts[i] as string]),
	);
	return ({ name }: Clip) => byName.get(name) ?? "";
}

function reportPlan(
	name: InterfaceName,
	plan: Plan,
	counts: JoinedCounts,
): void {
	const { label, sentences, pauseSeconds, voices, levelDb } = plan;
	const level = levelDb === 0 ? "" : `, ${levelDb} dB`;
	const what = `${label} ${minutes === undefined ? `${sentences} sentences` : `${minutes} minutes`}, ${pauseSeconds} s, ${voices} voices${level}, ${name}`;
	const parts = [
		...counts.languages.map((language) => ({ language })),
		...halves.map((half) => ({ half })),
	].map((of) => ({ ...of, ...counts.percents(of) }));
	console.log(
		`${what}: ${shown(counts.percents())}, lost ${counts.lost.length} of ${counts.sentences} (${parts
			.map((it) => `${"half" in it ? it.half : it.language} ${shown(it)}`)
			.join(", ")})`,
	);
	if (values.lost)
		for (const { clip, text } of counts.lost) console.log(`  ${clip}: ${text}`);
	const lost = counts.lost.length;
	saved.push({
		name,
		...plan,
		lost,
		sentencesAll: counts.sentences,
		all: counts.percents(),
		parts,
	});
}

function shown({ joined, alone }: { joined: number; alone: number }): string {
	return `${joined.toFixed(1)} / ${alone.toFixed(1)} %`;
}

function measurementOf(
	name: InterfaceName,
	label: Label,
	counts: JoinedCounts,
): Measurement {
	const { joined, alone } = counts.percents();
	const lost = counts.lost.length;
	const goal = `none lost, <= alone + ${pointsMax}`;
	const cell = `${shown({ joined, alone })}, ${lost} of ${counts.sentences} lost`;
	const isPeer = name === "faster-whisper";
	return {
		what: `joined: ${label}, ${lengths}, pauses ${values.pause} s, ${name}: errors joined / alone, lost`,
		earshot: isPeer ? "-" : cell,
		...(isPeer && { fasterWhisper: cell }),
		goal: isPeer
			? goal
			: judged(goal, lost === 0 && joined <= alone + pointsMax),
	};
}

function makeCopies() {
	return kinds.flatMap((kind) =>
		languages
			.filter((it) => wantedLabels.includes(it))
			.map((label) => ({
				kind,
				label,
				members: degradedClips(clips, kind, label, Number(values.snr)),
			})),
	);
}

async function measureDegraded(name: InterfaceName, recognize: Recognize) {
	const rows: Measurement[] = [];
	for (const { kind, label, members } of copies) {
		const texts = await recognize(members.map(({ path }) => ({ path, label })));
		const percent = (wanted: (index: number) => boolean) =>
			errorPercent(
				members
					.map(({ reference = "" }, i) =>
						countErrors(reference, texts[i] as string, label),
					)
					.filter((_, i) => wanted(i)),
			);
		const percents = {
			all: percent(() => true),
			even: percent((i) => i % 2 === 0),
			odd: percent((i) => i % 2 === 1),
		};
		const [all, even, odd] = Object.values(percents).map((it) => it.toFixed(1));
		const cell = `${all} % (even ${even}, odd ${odd})`;
		console.log(`${kind} ${label}, ${name}: ${cell}`);
		saved.push({ name, kind, label, ...percents });
		rows.push({
			what: `joined: ${label} clips, ${kind}, ${name}: errors`,
			earshot: name === "faster-whisper" ? "-" : cell,
			...(name === "faster-whisper" && { fasterWhisper: cell }),
			goal: "<= faster-whisper",
		});
	}
	return rows;
}
