/** What a microphone in a quiet room costs, through a whole appliance in this process: with wake words, and without. One channel. */
import {
	mkdirSync,
	mkdtempSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Appliance } from "../../../runtime/appliance.js";
import { loadConfig } from "../../../runtime/config/load.js";
import { createLogger } from "../../../runtime/log/log.js";
import { installFolder } from "../../../runtime/models/package/install.js";
import { childPid, cpuSeconds } from "../microphones/processes.js";
import { sampleRateHz } from "../wav.js";

const settleMs = 8000;
/** Of a quiet room: -66 dBFS. */
const roomSize = 16;
const ear = "zipformer-zh-ear";

/** @returns shares of a core: main, engine, capture. */
export async function measureQuiet(
	published: string,
	wakeWords: readonly string[],
	seconds: number,
): Promise<readonly number[]> {
	const folder = mkdtempSync(join(tmpdir(), "earshot-wake-bench-"));
	const models = join(folder, "models");
	mkdirSync(models);
	for (const name of ["whisper-base", "silero-vad"])
		symlinkSync(resolve("models", name), join(models, name));
	await installFolder(published, {
		...{ directory: models, name: ear, kind: "second-ear" },
	});
	makeCard(folder, seconds + 20);
	const appliance = await openAppliance(folder, wakeWords);
	await appliance.start();
	while (!(await isReady(appliance))) await pause(1000);
	await pause(settleMs);
	const before = processTimes();
	await pause(seconds * 1000);
	const after = processTimes();
	await appliance.stop();
	rmSync(folder, { recursive: true, force: true });
	return after.map((it, i) => (it - (before[i] ?? 0)) / seconds);
}

/** A busy machine loads its models slowly. */
function isReady(appliance: Appliance): Promise<boolean> {
	return appliance.untilReady().then(
		() => true,
		() => false,
	);
}

function makeCard(folder: string, seconds: number): void {
	const card = new Int16Array(seconds * sampleRateHz);
	let state = 1;
	for (let i = 0; i < card.length; i++) {
		state = (state * 1103515245 + 12345) & 0x7fffffff;
		card[i] = (state % (2 * roomSize + 1)) - roomSize;
	}
	const raw = join(folder, "card.raw");
	writeFileSync(raw, new Uint8Array(card.buffer));
	const config = join(folder, "asoundrc");
	writeFileSync(
		config,
		`pcm.null { type null }\npcm.mic { type file slave.pcm "null" file "/dev/null" infile "${raw}" format "raw" }\n`,
	);
	process.env.ALSA_CONFIG_PATH = config;
}

function openAppliance(
	folder: string,
	wakeWords: readonly string[],
): Promise<Appliance> {
	const file = join(folder, "earshot.toml");
	writeFileSync(
		file,
		`[model]\nsecond_ear = "${ear}"\n[[microphone]]\nid = "bench"\ndevice = "mic"\nformat = "S16_LE"\nlanguage = "zh"\nwake_words = ${JSON.stringify(wakeWords)}\n`,
	);
	const readConfig = () =>
		loadConfig({
			environment: {
				EARSHOT_CONFIG: file,
				EARSHOT_MODEL_DIR: join(folder, "models"),
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

function processTimes(): readonly number[] {
	return [undefined, "--lane live", "main.js capture"].map((word) => {
		const pid = word === undefined ? process.pid : childPid(word);
		if (pid === undefined) throw new Error(`no process ${word}`);
		return cpuSeconds(pid);
	});
}
