/**
 * Whether the main process stays responsive while clients fetch the transcript of five hours, in every format. The transcript is a real one of a few minutes with its
 * words, put into the store again and again until it is five hours long: what is measured is the output, not the recognition.
 */
import { openStore } from "../../../runtime/store/open-store.js";
import type {
	ResultSegment,
	Statistics,
} from "../../../runtime/tasks/result/result.js";
import {
	timeCode,
	timeCodeMs,
} from "../../../runtime/tasks/result/time-code.js";
import { openTaskStore } from "../../../runtime/tasks/task-store.js";
import { timeCheapestAnswers } from "../cheapest-answers.js";
import type { Clip } from "../clips.js";
import { makeRecording } from "../recordings.js";
import { judged, type Measurement } from "../report.js";
import { loopLagSeconds, Server, ServerState } from "../server.js";
import { percentile } from "../statistics.js";
import { transcribe } from "./client.js";

const lagSecondsMax = 0.02;
const hours = 5;
const clients = 4;
const secondsEach = 10;
const pageSegments = 100;
const id = "5".repeat(32);

export async function measurePolling(
	clips: readonly Clip[],
	settings: Readonly<Record<string, string>>,
): Promise<Measurement[]> {
	const state = new ServerState();
	try {
		const segments = await withRunning(state, settings, async (server) => {
			const { path, seconds } = makeRecording(clips, {
				name: "polled",
				language: "en",
				seconds: 120,
				silenceSeconds: 1,
			});
			const options = { enable_words: "true", clusters: "0" };
			const once = await transcribe(server, { path, language: "en", options });
			return repeated(once.segments as readonly ResultSegment[], seconds);
		});
		await store(state, segments);
		return await withRunning(state, settings, (server) =>
			fetchAll(server, segments.length),
		);
	} finally {
		state.remove();
	}
}

async function fetchAll(
	server: Server,
	segments: number,
): Promise<Measurement[]> {
	const measurements: Measurement[] = [];
	for (const format of ["json", "srt", "vtt", "txt"]) {
		await loopLagSeconds(server); // what happened before is not asked for
		const until = performance.now() + secondsEach * 1000;
		const fetched = Promise.all(
			Array.from({ length: clients }, () =>
				keepFetching(server, format, until),
			),
		);
		const probes = await timeCheapestAnswers(server, until);
		const loop = await loopLagSeconds(server);
		const sizes = (await fetched).flat();
		const megabytes = (Math.max(...sizes) / 1e6).toFixed(1);
		measurements.push({
			what: `files: main process while ${clients} clients fetch ${hours} h as ${format} (${segments} segments, ${megabytes} MB, ${sizes.length} times in ${secondsEach} s), event-loop p99 / cheapest answer p99`,
			earshot: `${ms(loop)} / ${ms(percentile(probes, 0.99))}`,
			goal: judged(
				`event-loop p99 < ${lagSecondsMax * 1000} ms`,
				loop < lagSecondsMax,
			),
		});
	}
	return measurements;
}

/** @returns bytes of each. */
async function keepFetching(
	{ endpoint }: Server,
	format: string,
	until: number,
): Promise<number[]> {
	const sizes: number[] = [];
	while (performance.now() < until) {
		const answer = await fetch(
			`${endpoint.url}/v1/asrfile/result?task_id=${id}&format=${format}`,
		);
		if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
		let bytes = 0;
		for await (const piece of answer.body ?? [])
			bytes += (piece as Uint8Array).byteLength;
		sizes.push(bytes);
	}
	return sizes;
}

function repeated(
	segments: readonly ResultSegment[],
	seconds: number,
): ResultSegment[] {
	const rounds = Math.floor((hours * 3600) / seconds);
	return Array.from({ length: rounds }, (_, round) => {
		const shiftMs = round * seconds * 1000;
		const later = (code: string) => timeCode(timeCodeMs(code) + shiftMs);
		return segments.map((it) => ({
			...it,
			begin: later(it.begin),
			end: later(it.end),
			seg_num: round * segments.length + it.seg_num,
			words: (it.words ?? []).map((word) => ({
				...word,
				start_time: word.start_time + shiftMs,
				end_time: word.end_time + shiftMs,
			})),
		}));
	}).flat();
}

/** As a completed task writes it. */
async function store(
	state: ServerState,
	segments: readonly ResultSegment[],
): Promise<void> {
	const opened = await openStore({ dir: state.directory, as: "serve" });
	const { tasks, results } = openTaskStore(opened.database);
	const model = [...tasks.list()].at(-1);
	const options = model && tasks.options(model.id);
	const statistics = model && results.find(model.id)?.statistics;
	if (!model || !options || !statistics) throw new Error("no task to go by");
	const row = { ...model, id, order: tasks.takeOrder() };
	await tasks.add({ ...row, audioMs: hours * 3_600_000 }, options);
	let pages = 0;
	for (let at = 0; at < segments.length; at += pageSegments)
		await results.putPage(id, pages++, segments.slice(at, at + pageSegments));
	await tasks.change(row, [
		results.putting(id, { pages, statistics: statistics satisfies Statistics }),
	]);
	await opened.close();
}

async function withRunning<Result>(
	state: ServerState,
	settings: Readonly<Record<string, string>>,
	act: (server: Server) => Promise<Result>,
): Promise<Result> {
	const server = await Server.spawn(state, settings);
	try {
		await server.untilAnswering();
		return await act(server);
	} finally {
		await server.stop();
	}
}

function ms(seconds: number): string {
	return `${(seconds * 1000).toFixed(1)} ms`;
}
