/**
 * A microphone of the device: how long after the end of speech its text is told, and what it costs while nobody speaks. A real appliance in this process, its
 * engine and capture processes beside it, on a card that ALSA's `file` plugin plays; a four-channel array with direction and beam.
 * Usage: scripts/bench ears [--clips N] [--idle SECONDS] [--record]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Appliance } from "../../runtime/appliance.js";
import { loadConfig } from "../../runtime/config/load.js";
import type { MicrophoneEvent } from "../../runtime/ears/microphone-events.js";
import { createLogger } from "../../runtime/log.js";
import { readClips } from "./clips.js";
import { judged, report } from "./report.js";
import { median, percentile } from "./statistics.js";
import { readWav } from "./wav.js";

const { values } = parseArgs({
	options: {
		clips: { type: "string", default: "8" },
		idle: { type: "string", default: "30" },
		record: { type: "boolean", default: false },
	},
});
const rateHz = 16_000;
const channels = 4;
const pauseMs = 800;
/** That an utterance is told to last beyond its speech (session/utterance.ts). */
const tailMs = 200;
const lateMsMax = 100;
const idleShareMax = 0.08;
const gapSeconds = 2.5;
/** Of a quiet room: -66 dBFS. */
const roomSize = 16;

const clips = (readClips() ?? [])
	.filter(
		({ language, seconds }) => language === "en" && seconds > 3 && seconds < 9,
	)
	.slice(0, Number(values.clips));
if (clips.length === 0) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), "earshot-ears-bench-"));
const speechSeconds = makeCard();
const events: MicrophoneEvent[] = [];
const appliance = await openAppliance();
appliance.microphones.onEvent((event) => events.push(event));
await appliance.start();
await appliance.untilReady();

const idleSeconds = Number(values.idle);
await pause(3000);
const before = cpuSeconds();
await pause(idleSeconds * 1000);
const after = cpuSeconds();
const shareOf = (name: keyof typeof after) =>
	(after[name] - before[name]) / idleSeconds;
const whole = shareOf("main") + shareOf("engine") + shareOf("capture");

while (finals().length < clips.length) {
	await pause(500);
	if (events.length === 0) continue;
	const sinceMs = Date.now() - (events.at(-1)?.atMs ?? 0);
	if (finals().length > 0 && sinceMs > 15_000) break;
}
await appliance.stop();
rmSync(folder, { recursive: true, force: true });

const lateMs = finals().map(
	({ atMs, utterance }) => atMs - (utterance.endAtMs - tailMs) - pauseMs,
);
const half = median(lateMs);
const text = (share: number) => `${(share * 100).toFixed(1)} %`;
report(
	[
		{
			what: `ears: end of speech + ${pauseMs} ms pause to the final event, ${lateMs.length} sentences from ${clips.length} clips (${Math.round(speechSeconds)} s), median / p95`,
			earshot: `${half.toFixed(0)} / ${percentile(lateMs, 0.95).toFixed(0)} ms`,
			goal: judged(`median < ${lateMsMax} ms`, half < lateMsMax),
		},
		{
			what: `ears: CPU of a microphone that listens to a quiet room, four channels, main / engine / capture (${idleSeconds} s)`,
			earshot: `${text(whole)} of a core: ${text(shareOf("main"))} / ${text(shareOf("engine"))} / ${text(shareOf("capture"))}`,
			goal: judged(`< ${idleShareMax * 100} %`, whole < idleShareMax),
		},
	],
	values.record,
);

function finals() {
	return events.flatMap((it) =>
		it.is === "final" && it.utterance.text !== "" ? [it] : [],
	);
}

/** A quiet room, then the clips with gaps, on each channel alike. @returns seconds of speech. */
function makeCard(): number {
	const sounds = clips.map(({ path }) => readWav(path));
	const quietSeconds = Number(values.idle) + 20;
	const spoken = sounds.reduce((sum, it) => sum + it.length, 0);
	const frames =
		quietSeconds * rateHz + spoken + (clips.length + 2) * gapSeconds * rateHz;
	const card = new Int16Array(Math.ceil(frames) * channels);
	let state = 1;
	for (let i = 0; i < card.length; i++) {
		state = (state * 1103515245 + 12345) & 0x7fffffff;
		card[i] = (state % (2 * roomSize + 1)) - roomSize;
	}
	let at = quietSeconds * rateHz;
	for (const sound of sounds) {
		for (let i = 0; i < sound.length; i++)
			for (let channel = 0; channel < channels; channel++)
				card[(at + i) * channels + channel] = sound[i] as number;
		at += sound.length + gapSeconds * rateHz;
	}
	const raw = join(folder, "card.raw");
	writeFileSync(raw, new Uint8Array(card.buffer));
	const config = join(folder, "asoundrc");
	writeFileSync(
		config,
		`pcm.null { type null }\npcm.mic { type file slave.pcm "null" file "/dev/null" infile "${raw}" format "raw" }\n`,
	);
	process.env.ALSA_CONFIG_PATH = config;
	return spoken / rateHz;
}

function openAppliance(): Promise<Appliance> {
	const file = join(folder, "earshot.toml");
	writeFileSync(
		file,
		`[[microphone]]\nid = "bench"\ndevice = "mic"\nchannels = ${channels}\nformat = "S16_LE"\narray = "respeaker-4"\n`,
	);
	const readConfig = () =>
		loadConfig({
			environment: {
				EARSHOT_CONFIG: file,
				EARSHOT_STATE_DIR: join(folder, "state"),
			},
			overrides: ["server.port=0", "server.host=127.0.0.1", "log.level=error"],
		}).values;
	const config = readConfig();
	return Appliance.open({
		config,
		readConfig,
		log: createLogger(config.log),
		version: "0.0.0",
		onFatal: (error) => {
			throw error;
		},
	});
}

function cpuSeconds() {
	const lines = execFileSync("ps", [
		...["--ppid", String(process.pid), "-o", "pid=,args="],
	])
		.toString()
		.split("\n");
	const of = (word: string) =>
		ticksOf(Number.parseInt(lines.find((it) => it.includes(word)) ?? "", 10));
	return {
		main: ticksOf(process.pid),
		engine: of("--lane live"),
		capture: of("main.js capture"),
	};
}

/** User and system time of a process, seconds (proc_pid_stat(5), fields 14 and 15). */
function ticksOf(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const ticksPerSecond = 100;
	return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
