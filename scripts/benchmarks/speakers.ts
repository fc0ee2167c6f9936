/**
 * Who speaks when: diarization error (missed, false alarm and confusion together, best matching) without a collar and with 0.25 s, where the number of voices
 * is found and where it is given, over the regions of our voice activity and over the true ones; and what it costs. The floor is the error of whoever knows
 * everything and gives one label an instant.
 * Usage: scripts/bench speakers [--verbose] [--dialogues N] [--alone] [--record]
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openOnnx } from "../../drivers/onnx/session.js";
import { openCampplus } from "../../runtime/models/campplus/embedder.js";
import type { SpeakerShape } from "../../runtime/models/campplus/shape.js";
import { loadPackage } from "../../runtime/models/package/model-package.js";
import { openSilero } from "../../runtime/models/silero/detector.js";
import {
	type OnSpan,
	SegmentationDetector,
} from "../../runtime/models/speech-segmentation/detector.js";
import { openSegmentation } from "../../runtime/models/speech-segmentation/network.js";
import { MixedDetector } from "../../runtime/segmentation/mixed-detector.js";
import { filePassageRules } from "../../runtime/segmentation/rules.js";
import { SpeechSegmenter } from "../../runtime/segmentation/speech-segmenter.js";
import { Diarizer } from "../../runtime/speakers/diarizer.js";
import { LocalSpans } from "../../runtime/speakers/local-spans.js";
import { speechRegionsOf } from "../../runtime/speakers/speech-regions.js";
import type { SpeakerTurn } from "../../runtime/speakers/turns.js";
import { type Region, soundRegions } from "../../runtime/speakers/windows.js";
import { type Figure, report } from "./report.js";
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
	type SpokenTurn,
} from "./speakers/diarization-error.js";
import { toFloat } from "./wav.js";

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
/** As a file is heard unless its caller says otherwise. */
const sentenceSilenceSeconds = 0.8;

const port = openOnnx();
const opened = await loadPackage("models/campplus-zh-en");
const shape = opened.manifest.speaker as SpeakerShape;
const path = opened.path("campplus.onnx");
const embedder = await openCampplus(port, { path, ...shape }, { threads });
const silero = await openSilero(port, "models/silero-vad/silero_vad.onnx");
const segmentation = values.alone
	? undefined
	: await openSegmentation(port, "models/segmentation-3.0/segmentation.onnx");

/** As the engine makes it (engine/child/models.ts). */
function createFileDetector(onLook: OnSpan) {
	if (!segmentation) return silero.createDetector();
	const second = new SegmentationDetector(segmentation, onLook);
	return new MixedDetector(silero.createDetector(), second, 0.4);
}

interface Heard {
	readonly turns: readonly SpokenTurn[];
	readonly voices: number;
	readonly seconds: number;
}

async function hear(
	recording: Recording,
	{ regions, speech, looks }: Spoken,
	count: number,
): Promise<Heard> {
	const started = performance.now();
	const listener = new Diarizer(embedder, shape, regions, speech, looks);
	await listener.accept(toFloat(recording.samples));
	const turns = (await listener.finish(count)).flatMap((it) =>
		spokenParts(it, speech),
	);
	const seconds = (performance.now() - started) / 1000;
	return { turns, voices: voicesOf(turns), seconds };
}

/** A turn without the pauses in it: words have times of their own, and in a pause there is none. */
function spokenParts(
	{ startMs, endMs, speaker }: SpeakerTurn,
	speech: readonly Region[],
): SpokenTurn[] {
	return speech.flatMap((it) => {
		const from = Math.max(startMs, it.startMs);
		const to = Math.min(endMs, it.endMs);
		return to > from
			? [
					{
						startSeconds: from / 1000,
						endSeconds: to / 1000,
						speaker: String(speaker),
					},
				]
			: [];
	});
}

function voicesOf(turns: readonly SpokenTurn[]): number {
	return new Set(turns.map((it) => it.speaker)).size;
}

interface Spoken {
	readonly regions: readonly Region[];
	/** Without the pauses. */
	readonly speech: readonly Region[];
	readonly looks: LocalSpans;
}

/** As a transcription of the file hears it: sentences, and the stretches between all pauses. */
async function heardSpeech({ samples }: Recording): Promise<Spoken> {
	const looks = new LocalSpans();
	const detector = createFileDetector((look) => looks.add(look));
	const segmenter = new SpeechSegmenter(detector, filePassageRules());
	const events = await segmenter.accept(toFloat(samples));
	events.push(...(await segmenter.finish()));
	const segments = events.flatMap((it) =>
		it.is === "end" ? [it.segment] : [],
	);
	const divided = (seconds: number) =>
		segments.flatMap((it) => speechRegionsOf(it, seconds));
	return {
		regions: divided(sentenceSilenceSeconds),
		speech: divided(shape.pauseSeconds),
		looks,
	};
}

/** Where anybody speaks. */
async function trueSpeech(recording: Recording): Promise<Spoken> {
	const { turns } = recording;
	const { looks } = await heardSpeech(recording);
	const regions = soundRegions(
		turns.map(({ startSeconds, endSeconds }) => ({
			startMs: startSeconds * 1000,
			endMs: endSeconds * 1000,
		})),
	);
	return { regions, speech: regions, looks };
}

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
	const none = { said: 0, missed: 0, falseAlarm: 0, confused: 0 };
	let errors = none;
	let collared = none;
	let right = 0;
	for (const recording of recordings) {
		const count = voicesOf(recording.turns);
		const spoken = await speechOf(recording);
		const heard = await hear(recording, spoken, given ? count : 0);
		const own = diarizationErrors(recording.turns, heard.turns, 0);
		errors = addErrors(errors, own);
		collared = addErrors(
			collared,
			diarizationErrors(recording.turns, heard.turns, collarSeconds),
		);
		if (heard.voices === count) right++;
		if (values.verbose)
			console.log(
				`  ${recording.name}: ${heard.voices} of ${count} voices, ${percent(errorRate(own))} % (missed ${own.missed.toFixed(1)} s, false alarm ${own.falseAlarm.toFixed(1)} s, confused ${own.confused.toFixed(1)} s of ${own.said.toFixed(1)} s)`,
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

async function figureOf(
	name: string,
	recordings: readonly Recording[],
): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const [over, speechOf] of [
		["our voice activity", heardSpeech],
		["true regions", trueSpeech],
	] as const) {
		if (values.verbose) console.log(`${name}, ${over}, found:`);
		const found = await measure(recordings, speechOf, false);
		if (values.verbose) console.log(`${name}, ${over}, given:`);
		const given = await measure(recordings, speechOf, true);
		figures.push({
			what: `speakers: ${name}, ${over} (${recordings.length} recordings, floor ${percent(floorOf(recordings))}), DER % without collar / with 0.25 s (of it given to another voice); number right`,
			earshot: `found ${rates(found)}, ${found.right} of ${recordings.length}; given ${rates(given)}`,
			goal: "-",
		});
	}
	return figures;
}

function rates({ errors, collared }: SetResult): string {
	const confused = percent(errors.confused / errors.said);
	return `${percent(errorRate(errors))} / ${percent(errorRate(collared))} (confused ${confused})`;
}

async function costOf(recordings: readonly Recording[]): Promise<Figure> {
	let audio = 0;
	let work = 0;
	for (const recording of recordings) {
		const spoken = await trueSpeech(recording);
		audio +=
			spoken.regions.reduce((sum, it) => sum + it.endMs - it.startMs, 0) / 1000;
		work += (await hear(recording, spoken, 0)).seconds;
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
		...(await figureOf("read speech taking turns", dialogues)),
		...(await figureOf("a phone call of 30 s", phone)),
		...(await figureOf("excerpts of meetings, 30 s", meetings)),
		await costOf(dialogues),
	],
	values.record,
);
await embedder.close();
await silero.close();
await segmentation?.close();
