/**
 * How fast whole recordings become transcripts, and how well: half an hour in three languages, from the upload to the result, beside faster-whisper's
 * pipeline for long recordings (batches of 8, beam 5, the same weights), which gets the samples in memory. And whether the length of a recording
 * makes the engine grow: hours against minutes, the same amount of speech in each hour.
 * Usage: scripts/bench files [--only NAME,NAME] [--minutes N] [--rounds N] [--texts] [--no-memory] [--record]
 */

import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { langTypes, languages, readClips } from "./clips.js";
import { chooseContenders, startContenders } from "./contender.js";
import { makeRecording, type Recording } from "./recordings.js";
import { type Figure, judged, report } from "./report.js";
import { countErrors, errorPercent } from "./scoring.js";
import { peakMegabytes, type Server, withServer } from "./server.js";
import { median, sum } from "./statistics.js";

const { values } = parseArgs({
	options: {
		only: { type: "string", default: "earshot,faster-whisper" },
		minutes: { type: "string", default: "30" },
		rounds: { type: "string", default: "1" },
		texts: { type: "boolean", default: false },
		memory: { type: "boolean", default: true },
		record: { type: "boolean", default: false },
	},
	allowNegative: true,
});
const threads = 2;
const timesFaster = 2;
const pointsMax = 0.3;
const growthMax = 1.3;
const shortMinutes = 5;
const longMinutes = 300;
/** Between clips of the recordings for memory: hours of speech would only take longer. */
const sparseSilenceSeconds = 50;

interface Run {
	readonly text: string;
	readonly seconds: number;
}
type Transcribe = (recording: Recording) => Promise<Run>;

const clips = (readClips() ?? []).filter(
	({ reference }) => reference !== undefined,
);
if (clips.length === 0) process.exit(1);
const recordings = languages.map((language) =>
	makeRecording(clips, {
		name: language,
		language,
		seconds: (Number(values.minutes) * 60) / languages.length,
		silenceSeconds: 1,
	}),
);
const names = chooseContenders(values.only);
const settings = {
	EARSHOT_ENGINE_THREADS: `${threads}`,
	EARSHOT_RATE_LIMIT_REQUESTS_PER_MINUTE: "0",
};
/** contender -> language -> what came out in each round. */
const runs = new Map<string, Map<string, Run[]>>();

process.env.EARSHOT_BENCH_FASTER_WHISPER = "batched";
const peers = await startContenders(
	names.filter((name) => name !== "earshot"),
	threads,
);
const figures = await withServer(settings, async (server) => {
	const contenders: [string, Transcribe][] = peers.map((peer) => [
		peer.name,
		({ path, language }) => peer.recognize({ path, language }),
	]);
	if (names.includes("earshot"))
		contenders.unshift(["earshot", (it) => transcribe(server, it)]);
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
	return [speedFigure(), ...recordings.map(errorFigure)];
});
for (const peer of peers) await peer.close();
if (values.memory && names.includes("earshot"))
	figures.push(await memoryFigure());
report(figures, values.record);

function note(name: string, { language, seconds }: Recording, run: Run): void {
	const own = runs.get(name) ?? new Map<string, Run[]>();
	runs.set(name, own);
	own.set(language, [...(own.get(language) ?? []), run]);
	console.log(
		`${name} ${language}: ${(seconds / run.seconds).toFixed(1)} audio s/s`,
	);
	if (values.texts) console.log(run.text);
}

/** From the upload's first byte to the transcript. */
async function transcribe(
	server: Server,
	{ path, language }: Recording,
): Promise<Run> {
	const bytes = await readFile(path);
	const { url, token } = server.door;
	const headers = { authorization: `Bearer ${token}` };
	const form = new FormData();
	form.set("lang_type", langTypes[language]);
	form.set("format", "wav");
	// references hold what was said: numbers as they fell
	form.set("enable_inverse_text_normalization", "false");
	form.set("file", new Blob([bytes]), "recording.wav");
	const started = performance.now();
	const upload = await ask(`${url}/v1/asrfile/upload`, {
		method: "POST",
		headers,
		body: form,
	});
	for (;;) {
		await pause(100);
		const { result } = await ask(
			`${url}/v1/asrfile/result?task_id=${upload.task_id}`,
			{ headers },
		);
		if (!result) continue;
		const seconds = (performance.now() - started) / 1000;
		return { text: result.map((it) => it.transcript).join(" "), seconds };
	}
}

interface TaskAnswer {
	readonly task_id?: string;
	readonly result?: readonly { readonly transcript: string }[];
}

async function ask(url: string, request: RequestInit): Promise<TaskAnswer> {
	const answer = await fetch(url, request);
	const { status, message, data } = (await answer.json()) as {
		status: string;
		message: string;
		data: TaskAnswer;
	};
	if (status !== "000000") throw new Error(`${url}: ${status} ${message}`);
	return data;
}

function secondsOf(name: string): number {
	const own = [...(runs.get(name)?.values() ?? [])];
	return sum(own.map((rounds) => median(rounds.map(({ seconds }) => seconds))));
}

function throughput(name: string): number {
	return sum(recordings.map(({ seconds }) => seconds)) / secondsOf(name);
}

function speedFigure(): Figure {
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

function errorFigure({ language, reference }: Recording): Figure {
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

/** Each recording gets a fresh engine: the peak of its memory is the recording's. */
async function memoryFigure(): Promise<Figure> {
	const peaks: number[] = [];
	for (const minutes of [shortMinutes, longMinutes]) {
		const recording = makeRecording(clips, {
			name: `sparse-${minutes}`,
			language: "en",
			seconds: minutes * 60,
			silenceSeconds: sparseSilenceSeconds,
		});
		peaks.push(
			await withServer(settings, async (server) => {
				const { seconds } = await transcribe(server, recording);
				const pid = server.batchEnginePid();
				if (pid === undefined) throw new Error("the engine has gone already");
				console.log(
					`${minutes} min: ${peakMegabytes(pid).toFixed(0)} MB, ${seconds.toFixed(0)} s`,
				);
				return peakMegabytes(pid);
			}),
		);
	}
	const [short = Number.NaN, long = Number.NaN] = peaks;
	return {
		what: `files: peak memory of the batch engine for ${shortMinutes} min / ${longMinutes / 60} h, a clip a minute`,
		earshot: `${short.toFixed(0)} / ${long.toFixed(0)} MB (${(long / short).toFixed(2)} x)`,
		goal: judged(`<= ${growthMax} x`, long <= growthMax * short),
	};
}
