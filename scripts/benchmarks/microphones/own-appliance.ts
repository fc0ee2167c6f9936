/** A whole appliance in this process whose microphone reads samples that the benchmark made. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Appliance } from "../../../runtime/appliance.js";
import { loadConfig } from "../../../runtime/config/load.js";
import { createLogger } from "../../../runtime/log/log.js";
import { fakeCard } from "../../../test/microphones/alsa.js";
import { childPid, cpuSeconds } from "../process-usage.js";

/** Of a quiet room: -66 dBFS. */
const roomSize = 16;

/** The noise of a quiet room, always the same. @param count of samples, of all channels together */
export function quietRoom(count: number): Int16Array<ArrayBuffer> {
	const room = new Int16Array(count);
	let state = 1;
	for (let i = 0; i < room.length; i++) {
		state = (state * 1103515245 + 12345) & 0x7fffffff;
		room[i] = (state % (2 * roomSize + 1)) - roomSize;
	}
	return room;
}

/** ALSA's device `mic` reads these samples from now on. @param folder takes the files */
export function useAsCard(folder: string, card: Int16Array<ArrayBuffer>): void {
	Object.assign(process.env, fakeCard(folder, new Uint8Array(card.buffer)));
}

/** @param toml its configuration. @param environment further settings */
export function openAppliance(
	folder: string,
	toml: string,
	environment: Readonly<Record<string, string>> = {},
): Promise<Appliance> {
	const file = join(folder, "earshot.toml");
	writeFileSync(file, toml);
	const readConfig = () =>
		loadConfig({
			environment: {
				EARSHOT_CONFIG: file,
				EARSHOT_STATE_DIR: join(folder, "state"),
				...environment,
			},
			overrides: [
				"server.port=0",
				"tls.port=0",
				"server.host=127.0.0.1",
				"log.level=error",
			],
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

/** Processor time of the main process, the engine and the capture process so far, seconds. */
export function processTimes() {
	const of = (word: string) => {
		const pid = childPid(word);
		if (pid === undefined) throw new Error(`no process ${word}`);
		return cpuSeconds(pid);
	};
	return {
		main: cpuSeconds(process.pid),
		engine: of("--lane live"),
		capture: of("main.js capture"),
	};
}
