/**
 * One speaker at a time, first alone, then while a file is transcribed: how much longer they wait for their final text, and how fast the file goes on
 * meanwhile.
 */
import { setTimeout as pause } from "node:timers/promises";
import { readClips } from "../clips.js";
import { judged, type Measurement } from "../report.js";
import type { Server } from "../server.js";
import { median, percentile, sum } from "../statistics.js";
import { readWav, sampleRateHz } from "../wav.js";
import { speakAndStop, speakAndWait } from "./earshot-stream.js";
import { afterStopMs, ms } from "./one.js";
import type { Speech } from "./speech.js";

/** Longer than the measurement takes, at ten times its pace. */
const fileSeconds = 2 * 3600;
const growthMax = 0.2;

interface Delays {
	readonly afterStopMs: readonly number[];
	readonly afterSpeechMs: readonly number[];
}

export async function measureBesideFile(
	server: Server,
	speeches: readonly Speech[],
): Promise<readonly Measurement[]> {
	const alone = await delaysOf(server, speeches);
	const task = await upload(server);
	while ((await progressOf(server, task)) === 0) await pause(100);
	const [percent, since] = [await progressOf(server, task), performance.now()];
	const beside = await delaysOf(server, speeches);
	const seconds = (performance.now() - since) / 1000;
	const done = (await progressOf(server, task)) - percent;
	const pace = ((done / 100) * fileSeconds) / seconds;
	await remove(server, task);
	const grown = mean(beside.afterSpeechMs) / mean(alone.afterSpeechMs) - 1;
	return [
		{
			what: `live: from the end of speech to the final text, mean, p50 / p95; alone, then while a file is transcribed (${speeches.length} clips)`,
			earshot: `${shown(alone.afterSpeechMs)}; ${shown(beside.afterSpeechMs)}`,
			goal: judged(
				`mean grows by at most 20 %: ${(100 * grown).toFixed(1)} %`,
				grown <= growthMax,
			),
		},
		{
			what: "live: from StopRecognition to the final text, mean, p50 / p95; alone, then while a file is transcribed",
			earshot: `${shown(alone.afterStopMs)}; ${shown(beside.afterStopMs)}`,
			goal: "-",
		},
		{
			what: "files: pace while somebody speaks, seconds of the file a second (progress in whole percent of two hours)",
			earshot: pace.toFixed(1),
			goal: "-",
		},
	];
}

async function delaysOf(
	{ endpoint }: Server,
	speeches: readonly Speech[],
): Promise<Delays> {
	const afterStop: number[] = [];
	const afterSpeech: number[] = [];
	for (const { samples, language, bounds } of speeches) {
		afterStop.push(
			afterStopMs(await speakAndStop(endpoint, samples, language)),
		);
		const waited = await speakAndWait(endpoint, samples, language);
		afterSpeech.push(waited.final.atMs - bounds.endMs);
	}
	return { afterStopMs: afterStop, afterSpeechMs: afterSpeech };
}

function shown(delays: readonly number[]): string {
	const p95 = percentile(delays, 0.95);
	return `${ms(mean(delays))}, ${ms(median(delays))} / ${ms(p95)}`;
}

function mean(values: readonly number[]): number {
	return sum(values) / values.length;
}

/** English clips again and again, as raw PCM. @returns the task's id. */
async function upload({ endpoint }: Server): Promise<string> {
	const clips = (readClips() ?? []).filter((it) => it.language === "en");
	const round = clips.map((it) => readWav(it.path));
	const samples = new Int16Array(fileSeconds * sampleRateHz);
	for (let at = 0, turn = 0; at < samples.length; turn++) {
		const clip = round[turn % round.length];
		if (!clip) throw new Error("no clips");
		samples.set(clip.subarray(0, samples.length - at), at);
		at += clip.length;
	}
	const form = new FormData();
	form.set("lang_type", "en-US");
	form.set("format", "pcm");
	form.set("file", new Blob([samples]), "file.pcm");
	const answer = await fetch(`${endpoint.url}/v1/asrfile/upload`, {
		method: "POST",
		headers: { authorization: `Bearer ${endpoint.token}` },
		body: form,
	});
	const { status, data } = (await answer.json()) as {
		status: string;
		data: { task_id: string };
	};
	if (status !== "000000") throw new Error(`the upload answered ${status}`);
	return data.task_id;
}

async function progressOf({ endpoint }: Server, task: string): Promise<number> {
	const path = `/v1/asrfile/result?task_id=${task}`;
	const answer = await fetch(`${endpoint.url}${path}`);
	const { data } = (await answer.json()) as { data: { progress?: number } };
	if (data.progress === undefined) throw new Error("the file is done too soon");
	return data.progress;
}

async function remove({ endpoint }: Server, task: string): Promise<void> {
	await fetch(`${endpoint.url}/v1/asrfile/tasks/${task}`, {
		method: "DELETE",
		headers: { authorization: `Bearer ${endpoint.token}` },
	});
}
