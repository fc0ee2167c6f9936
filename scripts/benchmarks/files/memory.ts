/**
 * Whether the length of a recording makes the engine for files grow: the peak of its memory for five hours against that for five minutes, each in an engine of its own.
 *
 * Both begin with the same five minutes of one clip after the other, which fill the batches; behind them five hours have a clip every two minutes and silence between: a
 * real FLAC file, decoded by ffmpeg, segmented, recognized, written, and its speakers told apart. Hours of speech would take hours; what they would add is what is kept of
 * each window of a voice until the end (0.8 KB for 0.8 s: 17 MB for five hours of speech), and nothing else that is known.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { cacheDirectory } from "../cache.js";
import type { Clip } from "../clips.js";
import { peakMegabytes } from "../process-usage.js";
import { judged, type Measurement } from "../report.js";
import { withServer } from "../server.js";
import { readWav, sampleRateHz } from "../wav.js";
import { transcribe } from "./client.js";

const growthMax = 1.3;
const shortMinutes = 5;
const longMinutes = 300;
/** Between clips. */
const denseSilenceSeconds = 1;
const sparseEverySeconds = 120;

export async function measureMemory(
	clips: readonly Clip[],
	settings: Readonly<Record<string, string>>,
): Promise<Measurement[]> {
	const engine: number[] = [];
	const main: number[] = [];
	for (const minutes of [shortMinutes, longMinutes]) {
		const path = await sparseRecording(clips, minutes);
		await withServer(settings, async (server) => {
			const { segments, seconds } = await transcribe(server, {
				path,
				language: "en",
				format: "flac",
				options: { clusters: "0", enable_words: "true" },
			});
			const pid = server.batchEnginePid();
			if (pid === undefined) throw new Error("the engine has gone already");
			engine.push(peakMegabytes(pid));
			main.push(peakMegabytes(server.pid));
			const speakers = new Set(segments.map((it) => it.cluster_id)).size;
			console.log(
				`${minutes} min: ${engine.at(-1)?.toFixed(0)} MB (main ${main.at(-1)?.toFixed(0)} MB), ${segments.length} segments, ${speakers} voices, ${seconds.toFixed(0)} s`,
			);
		});
	}
	const goal = `<= ${growthMax} x`;
	return [
		{
			what: `files: peak memory of the batch engine for ${shortMinutes} min of speech / for ${longMinutes / 60} h that begin with them and go on with a clip every ${sparseEverySeconds / 60} min (FLAC, words, voices)`,
			earshot: growth(engine),
			goal: judged(goal, ratio(engine) <= growthMax),
		},
		{
			what: "files: peak memory of the main process meanwhile, result fetched",
			earshot: growth(main),
			goal: judged(goal, ratio(main) <= growthMax),
		},
	];
}

function ratio([short = Number.NaN, long = Number.NaN]: readonly number[]) {
	return long / short;
}

function growth(peaks: readonly number[]): string {
	const [short = Number.NaN, long = Number.NaN] = peaks;
	return `${short.toFixed(0)} / ${long.toFixed(0)} MB (${ratio(peaks).toFixed(2)} x)`;
}

/** Kept from one run to the next. */
async function sparseRecording(
	clips: readonly Clip[],
	minutes: number,
): Promise<string> {
	const folder = join(cacheDirectory, "recordings");
	mkdirSync(folder, { recursive: true });
	const path = join(folder, `sparse-${minutes}.flac`);
	if (existsSync(path)) return path;
	const ffmpeg = spawn(
		"ffmpeg",
		[
			...["-v", "error", "-y", "-f", "s16le", "-ar", `${sampleRateHz}`],
			...["-ac", "1", "-i", "pipe:0", "-f", "flac", `${path}.new`],
		],
		{ stdio: ["pipe", "inherit", "inherit"] },
	);
	for (const piece of pieces(clips, minutes * 60 * sampleRateHz))
		await write(ffmpeg.stdin, piece);
	ffmpeg.stdin.end();
	const [code] = await once(ffmpeg, "exit");
	if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
	renameSync(`${path}.new`, path);
	return path;
}

function* pieces(clips: readonly Clip[], total: number): Generator<Int16Array> {
	const own = clips.filter(({ language }) => language === "en");
	const dense = shortMinutes * 60 * sampleRateHz;
	let at = 0;
	for (let i = 0; at < total; i++) {
		const clip = own[i % own.length];
		if (!clip) throw new Error("no clips");
		const sound = readWav(clip.path).subarray(0, total - at);
		at += sound.length;
		yield sound;
		const next =
			at < dense
				? at + denseSilenceSeconds * sampleRateHz
				: at + sparseEverySeconds * sampleRateHz - sound.length;
		const silence = new Int16Array(Math.min(next, total) - at);
		at += silence.length;
		yield silence;
	}
}

async function write(stream: Writable, samples: Int16Array): Promise<void> {
	const { buffer, byteOffset, byteLength } = samples;
	const bytes = Buffer.from(buffer, byteOffset, byteLength);
	if (!stream.write(bytes)) await once(stream, "drain");
}
