/**
 * How fast whole recordings become transcripts, and how well: half an hour in three languages, from the upload to the result, beside faster-whisper's
 * pipeline for long recordings (batches of 8, beam 5, the same weights), which gets the samples in memory. And, each by itself, how right word times are (`words`),
 * how the main process bears five hours of transcript being fetched (`polling`), and whether the length of a recording makes the engine grow (`memory`).
 * Usage: scripts/bench files [--only earshot,faster-whisper,words,polling,memory] [--minutes N] [--rounds N] [--texts] [--record]
 */

import { parseArgs } from "node:util";
import { languages, readClips } from "./clips.js";
import { chooseContenders, startContenders } from "./contender.js";
import { transcribe } from "./files/client.js";
import { measureMemory } from "./files/memory.js";
import { measurePolling } from "./files/polling.js";
import { measureWordTimes } from "./files/word-times.js";
import { makeRecording, type Recording } from "./recordings.js";
import { judged, type Measurement, report } from "./report.js";
import { countErrors, errorPercent } from "./scoring.js";
import { withServer } from "./server.js";
import { median, sum } from "./statistics.js";

const { values } = parseArgs({
	options: {
		only: {
			type: "string",
			default: "earshot,faster-whisper,words,polling,memory",
		},
		minutes: { type: "string", default: "30" },
		rounds: { type: "string", default: "1" },
		texts: { type: "boolean", default: false },
		record: { type: "boolean", default: false },
	},
});
const threads = 2;
const timesFaster = 2;
const pointsMax = 0.3;
/** Each measured by itself, on servers of its own. */
const parts = {
	words: measureWordTimes,
	polling: measurePolling,
	memory: measureMemory,
} as const;
type PartName = keyof typeof parts;

interface Run {
	readonly text: string;
	readonly seconds: number;
}
type Transcribe = (recording: Recording) => Promise<Run>;

const clips = (readClips() ?? []).filter(
	({ reference }) => reference !== undefined,
);
if (clips.length === 0) process.exit(1);
const wanted = values.only.split(",");
const isPart = (name: string): name is PartName => name in parts;
const contenderNames = wanted.filter((it) => !isPart(it));
const names =
	contenderNames.length > 0 ? chooseContenders(contenderNames.join(",")) : [];
const recordings = (names.length > 0 ? languages : []).map((language) =>
	makeRecording(clips, {
		name: language,
		language,
		seconds: (Number(values.minutes) * 60) / languages.length,
		silenceSeconds: 1,
	}),
);
const settings = {
	EARSHOT_ENGINE_THREADS: `${threads}`,
	EARSHOT_AUTH_RATE_PER_SECOND: "0",
};
/** contender -> language -> what came out in each round. */
const runs = new Map<string, Map<string, Run[]>>();

const measurements = names.length > 0 ? await measureSpeed() : [];
for (const name of wanted)
	if (isPart(name)) measurements.push(...(await parts[name](clips, settings)));
report(measurements, values.record);

async function measureSpeed(): Promise<Measurement[]> {
	process.env.EARSHOT_BENCH_FASTER_WHISPER = "batched";
	const peers = await startContenders(
		names.filter((name) => name !== "earshot"),
		threads,
	);
	const measured = await withServer(settings, async (server) => {
		const contenders: [string, Transcribe][] = peers.map((peer) => [
			peer.name,
			({ path, language }) => peer.recognize({ path, language }),
		]);
		if (names.includes("earshot"))
			contenders.unshift([
				"earshot",
				async (it) => {
					const { segments, seconds } = await transcribe(server, it);
					return {
						text: segments.map((it) => it.transcript).join(" "),
						seconds,
					};
				},
			]);
		const warmUp = makeRecording(clips, {
			name: "warm-up",
			language: "en",
			seconds: 30,
			silenceSeconds: 1,
		});
		for (const [, work] of contenders) await work(warmUp);
		for (let round = 0; round < Number(values.rounds); round++)
			for (const recording of recordings)
				for (const [name, work] of contenders)
					note(name, recording, await work(recording));
		return [speedMeasurement(), ...recordings.map(errorMeasurement)];
	});
	for (const peer of peers) await peer.close();
	return measured;
}

function note(name: string, { language, seconds }: Recording, run: Run): void {
	const own = runs.get(name) ?? new Map<string, Run[]>();
	runs.set(name, own);
	own.set(language, [...(own.get(language) ?? []), run]);
	console.log(
		`${name} ${language}: ${(seconds / run.seconds).toFixed(1)} audio s/s`,
	);
	if (values.texts) console.log(run.text);
}

function secondsOf(name: string): number {
	const own = [...(runs.get(name)?.values() ?? [])];
	return sum(own.map((rounds) => median(rounds.map(({ seconds }) => seconds))));
}

function throughput(name: string): number {
	return sum(recordings.map(({ seconds }) => seconds)) / secondsOf(name);
}

function speedMeasurement(): Measurement {
	const shown = (name: string) =>
		runs.has(name) ? throughput(name).toFixed(1) : "-";
	const ratio = throughput("earshot") / throughput("faster-whisper");
	const goal = `>= ${timesFaster} x faster-whisper's batches`;
	return {
		what: `files: audio s/s, recordings of ${values.minutes} min in three languages, ${threads} threads, upload to result`,
		earshot: shown("earshot"),
		fasterWhisper: Number.isFinite(ratio)
			? `${shown("faster-whisper")}, earshot ${ratio.toFixed(2)} x`
			: shown("faster-whisper"),
		goal: Number.isFinite(ratio) ? judged(goal, ratio >= timesFaster) : goal,
	};
}

function errorMeasurement({ language, reference }: Recording): Measurement {
	const percent = (name: string) => {
		const run = runs.get(name)?.get(language)?.at(-1);
		return run === undefined
			? Number.NaN
			: errorPercent([countErrors(reference, run.text, language)]);
	};
	const [ours, theirs] = [percent("earshot"), percent("faster-whisper")];
	const shown = (value: number) =>
		Number.isNaN(value) ? "-" : value.toFixed(2);
	const goal = `<= faster-whisper's batches + ${pointsMax}`;
	return {
		what: `files ${language}: ${language === "en" ? "WER" : "CER"} % of the recording`,
		earshot: shown(ours),
		fasterWhisper: shown(theirs),
		goal: Number.isFinite(ours + theirs)
			? judged(goal, ours <= theirs + pointsMax)
			: goal,
	};
}
