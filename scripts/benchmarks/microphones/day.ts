/**
 * A day in which somebody speaks every ten minutes, as fast as the machine transcribes it: whether anything is lost, and whether anybody's memory grows.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../../runtime/config/load.js";
import { microphoneSection } from "../../../runtime/config/sections/microphone.js";
import { readTable } from "../../../runtime/config/tables.js";
import { createLane } from "../../../runtime/engine/from-config.js";
import { createLogger } from "../../../runtime/log/log.js";
import { recognitionOptions } from "../../../runtime/microphones/from-config.js";
import type { Clip } from "../clips.js";
import { childPid, residentMegabytes } from "../process-usage.js";
import { judged, type Measurement } from "../report.js";
import { readWav } from "../wav.js";
import {
	feedStartMs,
	rateHz,
	type SpokenClip,
	transcribeHours,
} from "./hours.js";
import { timesOff } from "./times-off.js";

const everySeconds = 600;
const pollSeconds = 600;
/** Caches fill and code is compiled until then. */
const settledHours = 1;
const slopeMax = 1;

interface MemoryReading {
	readonly hours: number;
	readonly main: number;
	readonly engine: number;
	readonly capture: number;
}

export async function measureDay(
	clips: readonly Clip[],
	hours: number,
): Promise<readonly Measurement[]> {
	const folder = mkdtempSync(join(tmpdir(), "earshot-day-"));
	const config = loadConfig({
		environment: { EARSHOT_STATE_DIR: folder },
		overrides: ["log.level=error", "engine.queue_wait_seconds=60"],
	}).values;
	const log = createLogger(config.log);
	const { lane, supervisor } = createLane("live", config, log);
	supervisor.start();
	await supervisor.engine();
	const spoken = speech(clips, hours * 3600);
	const readings: MemoryReading[] = [];
	const startedMs = performance.now();
	const result = await transcribeHours({
		folder,
		seconds: hours * 3600,
		spoken,
		lane,
		log,
		pollSeconds,
		options: recognitionOptions(
			readTable("microphone", microphoneSection, "the benchmark", {
				id: "day",
			}),
			"en-US",
		),
		onPoll: (seconds, capturePid) => {
			const engine = childPid("--lane live");
			if (capturePid === undefined || engine === undefined) return;
			const reading = {
				hours: seconds / 3600,
				main: residentMegabytes(process.pid),
				engine: residentMegabytes(engine),
				capture: residentMegabytes(capturePid),
			};
			readings.push(reading);
			if (seconds % 3600 === 0) console.log(lineOf(reading, startedMs));
		},
	});
	const tookSeconds = (performance.now() - startedMs) / 1000;
	await supervisor.stop(1000);
	rmSync(folder, { recursive: true, force: true });
	const { offMsMax, unrecognized, spurious } = timesOff(spoken, result.finals, {
		rateHz,
		startMs: feedStartMs,
	});
	const { lostSeconds, xruns } = result.stats;
	const missing = hours * 3600 * rateHz - result.samples;
	const whole =
		missing === 0 &&
		lostSeconds === 0 &&
		result.recognitions === 1 &&
		xruns === 0;
	const slopes = (["main", "engine", "capture"] as const).map((name) =>
		slope(
			readings.filter((it) => it.hours >= settledHours),
			name,
		),
	);
	return [
		{
			what: `microphones: ${hours} h of a microphone, ${spoken.length} sentences in them, ${Math.round((hours * 3600) / tookSeconds)} times as fast: samples missing, seconds lost, recognitions; sentences unheard, texts where none was said, an event's time off by at most`,
			earshot: `${missing}, ${lostSeconds}, ${result.recognitions}; ${unrecognized}, ${spurious}, ${offMsMax.toFixed(0)} ms`,
			goal: judged("no gaps", whole && spurious === 0),
		},
		{
			what: `microphones: the same, growth of resident memory, MB an hour, main / engine / capture (after the first hour; at the end ${lastOf(readings)} MB)`,
			earshot: slopes.map((it) => it.toFixed(2)).join(" / "),
			goal: judged(`< ${slopeMax}`, Math.max(...slopes) < slopeMax),
		},
	];
}

function speech(clips: readonly Clip[], seconds: number): SpokenClip[] {
	const sounds = clips.map(({ path }) => readWav(path));
	const spoken: SpokenClip[] = [];
	for (let at = everySeconds / 2; at < seconds - 60; at += everySeconds)
		spoken.push({
			// never at the same place in the minute
			atSeconds: at + ((spoken.length * 7919) % 1000) / 37,
			samples: sounds[spoken.length % sounds.length] as Int16Array,
		});
	return spoken;
}

/** Least squares, MB an hour. */
function slope(
	readings: readonly MemoryReading[],
	name: keyof MemoryReading,
): number {
	const n = readings.length;
	const mean = (of: keyof MemoryReading) =>
		readings.reduce((sum, it) => sum + it[of], 0) / n;
	const x = mean("hours");
	const y = mean(name);
	let above = 0;
	let below = 0;
	for (const reading of readings) {
		above += (reading.hours - x) * (reading[name] - y);
		below += (reading.hours - x) ** 2;
	}
	return above / below;
}

function lineOf(
	{ hours, main, engine, capture }: MemoryReading,
	startedMs: number,
) {
	const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
	return `${hours} h (${minutes} min): ${[main, engine, capture].map((it) => it.toFixed(1)).join(" / ")} MB`;
}

function lastOf(readings: readonly MemoryReading[]): string {
	const last = readings.at(-1);
	return [last?.main, last?.engine, last?.capture]
		.map((it) => (it ?? Number.NaN).toFixed(0))
		.join(" / ");
}
