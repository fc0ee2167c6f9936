/**
 * Who speaks when: diarization error (missed, false alarm and confusion together, best matching) without a collar and with 0.25 s, where the number of speakers
 * is found and where it is given, over the regions of our voice activity and over the true ones; and what it costs. The floor is the error of whoever knows
 * everything and gives one label an instant.
 * Usage: scripts/bench speakers [--verbose] [--dialogues N] [--alone] [--record]
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Measurement, report } from "./report.js";
import {
	makeDialogues,
	type Recording,
	readRecordings,
} from "./speakers/dialogues.js";
import {
	addErrors,
	type DiarizationErrors,
	diarizationErrors,
	errorRate,
	readRttm,
} from "./speakers/diarization-error.js";
import {
	countSpeakers,
	FileDiarization,
	type Spoken,
} from "./speakers/file-diarization.js";

const { values } = parseArgs({
	options: {
		verbose: { type: "boolean", default: false },
		dialogues: { type: "string", default: "24" },
		record: { type: "boolean", default: false },
		/** Without the speech segmentation beside Silero. */
		alone: { type: "boolean", default: false },
	},
});
const folder = "../shared/audio";
if (!existsSync(join(folder, "speakers"))) {
	console.log(`${folder}/speakers is not here: nothing to measure`);
	process.exit(1);
}
const threads = 1;
const collarSeconds = 0.25;

const diarization = await FileDiarization.open(threads, values.alone);

interface SetResult {
	errors: DiarizationErrors;
	collared: DiarizationErrors;
	right: number;
}

async function measure(
	recordings: readonly Recording[],
	speechOf: (recording: Recording) => Promise<Spoken>,
	given: boolean,
): Promise<SetResult> {
	const none = { spoken: 0, missed: 0, falseAlarm: 0, confused: 0 };
	let errors = none;
	let collared = none;
	let right = 0;
	for (const recording of recordings) {
		const count = countSpeakers(recording.turns);
		const spoken = await speechOf(recording);
		const result = await diarization.diarize(
			recording,
			spoken,
			given ? count : 0,
		);
		const own = diarizationErrors(recording.turns, result.turns, 0);
		errors = addErrors(errors, own);
		collared = addErrors(
			collared,
			diarizationErrors(recording.turns, result.turns, collarSeconds),
		);
		if (result.speakers === count) right++;
		if (values.verbose)
			console.log(
				`  ${recording.name}: ${result.speakers} of ${count} voices, ${percent(errorRate(own))} % (missed ${own.missed.toFixed(1)} s, false alarm ${own.falseAlarm.toFixed(1)} s, confused ${own.confused.toFixed(1)} s of ${own.spoken.toFixed(1)} s)`,
			);
	}
	return { errors, collared, right };
}

function percent(share: number): string {
	return (100 * share).toFixed(1);
}

/** The error of whoever knows everything and gives one label an instant. */
function floorOf(recordings: readonly Recording[]): number {
	const errors = recordings.map(({ turns }) => {
		const borders = turns.flatMap((it) => [it.startSeconds, it.endSeconds]);
		const cuts = [...new Set(borders)].sort((a, b) => a - b);
		const one = cuts.slice(1).flatMap((endSeconds, i) => {
			const startSeconds = cuts[i] as number;
			const middle = (startSeconds + endSeconds) / 2;
			const speaking = turns.find(
				(it) => it.startSeconds <= middle && middle < it.endSeconds,
			);
			return speaking
				? [{ startSeconds, endSeconds, speaker: speaking.speaker }]
				: [];
		});
		return diarizationErrors(turns, one, 0);
	});
	return errorRate(errors.reduce(addErrors));
}

async function measurementOf(
	name: string,
	recordings: readonly Recording[],
): Promise<Measurement[]> {
	const measurements: Measurement[] = [];
	for (const [over, speechOf] of [
		["our voice activity", (it: Recording) => diarization.detectedSpeech(it)],
		["true regions", (it: Recording) => diarization.trueSpeech(it)],
	] as const) {
		if (values.verbose) console.log(`${name}, ${over}, found:`);
		const found = await measure(recordings, speechOf, false);
		if (values.verbose) console.log(`${name}, ${over}, given:`);
		const given = await measure(recordings, speechOf, true);
		measurements.push({
			what: `speakers: ${name}, ${over} (${recordings.length} recordings, floor ${percent(floorOf(recordings))}), DER % without collar / with 0.25 s (of it given to another voice); number right`,
			earshot: `found ${rates(found)}, ${found.right} of ${recordings.length}; given ${rates(given)}`,
			goal: "-",
		});
	}
	return measurements;
}

function rates({ errors, collared }: SetResult): string {
	const confused = percent(errors.confused / errors.spoken);
	return `${percent(errorRate(errors))} / ${percent(errorRate(collared))} (confused ${confused})`;
}

async function costOf(recordings: readonly Recording[]): Promise<Measurement> {
	let audio = 0;
	let work = 0;
	for (const recording of recordings) {
		const spoken = await diarization.trueSpeech(recording);
		audio +=
			spoken.regions.reduce((sum, it) => sum + it.endMs - it.startMs, 0) / 1000;
		work += (await diarization.diarize(recording, spoken, 0)).seconds;
	}
	const hour = (3600 * work) / audio;
	return {
		what: `speakers: cost of an hour of speech, ${threads} thread (embeddings and clustering)`,
		earshot: `${hour.toFixed(0)} s`,
		goal: "-",
	};
}

const dialogues = makeDialogues(folder, Number(values.dialogues));
const speakers = join(folder, "speakers");
const phone = readRecordings(speakers, ["sample"], readRttm);
const meetings = readRecordings(
	speakers,
	["trn01", "trn02", "trn04"],
	readRttm,
);
report(
	[
		...(await measurementOf("read speech taking turns", dialogues)),
		...(await measurementOf("a phone call of 30 s", phone)),
		...(await measurementOf("excerpts of meetings, 30 s", meetings)),
		await costOf(dialogues),
	],
	values.record,
);
await diarization.close();
