/**
 * The recognizer on an NVIDIA GPU beside the CPU: how much faster than speech it is, clip after clip, and how many speakers at once get their final text in
 * time. Where there is no such GPU it measures nothing, says so, and that is no error.
 * Usage: scripts/bench gpu --model DIR [--rounds N] [--speakers N,N] [--seconds N] [--record]
 * --model: a package of `earshot models convert --compute fp16`. --speakers: at once, in steps (8,16,32,64).
 * EARSHOT_BENCH_ORT names the library (libonnxruntime.so with CUDA's provider beside it); scripts/bench sets it to what scripts/benchmarks/processors/setup-gpu unpacks.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { isMedium, readClips } from "./clips.js";
import { linkPackages } from "./linked-packages.js";
import { measureMany } from "./live/many.js";
import { chooseClips, recognizeOffline } from "./live/speech.js";
import {
	type NamedRecognizer,
	openRecognizer,
	recognizeClip,
} from "./processors/timed-recognition.js";
import { type Measurement, report } from "./report.js";
import { withServer } from "./server.js";
import { median, sum } from "./statistics.js";

const { values } = parseArgs({
	options: {
		model: { type: "string", default: "" },
		rounds: { type: "string", default: "3" },
		speakers: { type: "string", default: "8,16,32,64" },
		seconds: { type: "string", default: "40" },
		record: { type: "boolean", default: false },
	},
});
const cpuModel = "models/whisper-base";
const threads = 2;
const provider = "CUDA device_id=0";

const device = gpuHere();
if (device === undefined) {
	console.log("no NVIDIA GPU is here: nothing was measured");
	process.exit(0);
}
if (!existsSync(values.model))
	throw new Error(
		"--model DIR is missing: earshot models convert --compute fp16 makes one",
	);
const library = process.env.EARSHOT_BENCH_ORT;
if (!library)
	throw new Error("EARSHOT_BENCH_ORT is missing: scripts/bench gpu sets it");
const processor = `custom:${resolve(library)}` as const;
const clips = (readClips() ?? []).filter(isMedium);
if (clips.length === 0) process.exit(1);

const measurements = [await clipAfterClip(), ...(await manyAtOnce())];
report(measurements, values.record);

/** Its name, as the driver says it. */
function gpuHere(): string | undefined {
	try {
		const list = execFileSync("nvidia-smi", ["-L"], {
			encoding: "utf8",
			stdio: ["ignore", "pipe", "ignore"],
		});
		return /^GPU 0: (.*?) \(/m.exec(list)?.[1];
	} catch {
		return undefined;
	}
}

async function clipAfterClip(): Promise<Measurement> {
	const cpu = await openRecognizer("cpu", cpuModel, "cpu", threads);
	const gpu = await openRecognizer("gpu", values.model, processor, threads, {
		customProviders: [provider],
	});
	const recognizers = [cpu, gpu];
	for (const clip of clips.slice(0, 3))
		for (const recognizer of recognizers) await recognizeClip(recognizer, clip);
	const [cpuSpeed, gpuSpeed] = await speedsOf(recognizers);
	for (const { recognizer } of recognizers) await recognizer.close();
	return {
		what: `gpu: ${device}, fp16, clips of 3 to 10 s one after the other / the CPU, int8, ${threads} threads`,
		earshot: `${gpuSpeed?.toFixed(1)} / ${cpuSpeed?.toFixed(1)} audio s/s`,
		goal: "-",
	};
}

/** Audio seconds a second. */
async function speedsOf(
	recognizers: readonly NamedRecognizer[],
): Promise<number[]> {
	const taken = recognizers.map(() => clips.map((): number[] => []));
	for (let round = 0; round < Number(values.rounds); round++)
		for (const [i, clip] of clips.entries())
			for (const [which, recognizer] of recognizers.entries())
				taken[which]?.[i]?.push(
					(await recognizeClip(recognizer, clip)).milliseconds,
				);
	const seconds = sum(clips.map((clip) => clip.seconds));
	return taken.map(
		(perClip) => (1000 * seconds) / sum(perClip.map((it) => median(it))),
	);
}

async function manyAtOnce(): Promise<readonly Measurement[]> {
	const models = mkdtempSync(join(tmpdir(), "earshot-bench-models-"));
	try {
		return await manyWith(models);
	} finally {
		rmSync(models, { recursive: true, force: true });
	}
}

/** @param models an empty folder, for links to the packages. */
async function manyWith(models: string): Promise<readonly Measurement[]> {
	const spoken = chooseClips(6);
	const found: Measurement[] = [];
	const slots = { EARSHOT_ENGINE_LIVE_SLOTS: "1000" };
	const name = basename(values.model);
	symlinkSync(resolve(values.model), join(models, name));
	linkPackages(models);
	for (const [processorName, settings] of [
		["cpu", {}],
		[
			"gpu",
			{
				EARSHOT_ENGINE_PROCESSOR: processor,
				EARSHOT_ENGINE_CUSTOM_PROVIDERS: provider,
				EARSHOT_ENGINE_READY_SECONDS_MAX: "600",
				EARSHOT_MODEL_DIR: models,
				EARSHOT_MODEL_NAME: name,
			},
		],
	] as const)
		await withServer({ ...slots, ...settings }, async (server) => {
			const speeches = await recognizeOffline(server.endpoint, spoken);
			for (const speakers of values.speakers.split(",").map(Number)) {
				const [latency] = await measureMany(
					server,
					speeches,
					speakers,
					Number(values.seconds),
				);
				if (!latency) continue;
				found.push({
					...latency,
					what: `gpu: on the ${processorName}, ${latency.what}`,
				});
				if (latency.goal.endsWith("missed")) break;
			}
		});
	return found;
}
