/** The device of the API under test: its status, name, microphones and updates, a console of two files, and the stats of its lane. */
import { gzipSync } from "node:zlib";
import type { ApiParts } from "../../runtime/api/api-parts.js";
import type { ConsoleBundle } from "../../runtime/api/console/assets.js";
import type { DeviceStatus } from "../../runtime/api/device/status.js";
import type { LogTail } from "../../runtime/log/log-tail.js";
import type { FakeMicrophones } from "./fake-microphones.js";

/** @param controlled gets what its operator did. */
export function fakeDevice({
	microphones,
	controlled,
	logTail,
}: {
	readonly microphones: FakeMicrophones;
	readonly controlled: string[];
	readonly logTail: LogTail;
}): NonNullable<ApiParts["device"]> {
	return {
		status: async () => ({ device: "tester" }) as DeviceStatus,
		levels: () =>
			microphones.stats.map(({ microphone, momentLevelsDbfs }) => ({
				id: microphone,
				levels_dbfs: momentLevelsDbfs,
			})),
		history: () => [{ at: 1, load: 0.5, memory_used: 0.4, lag_ms: 2 }],
		microphones,
		control: {
			restartEngine: (lane) => controlled.push(`restart ${lane}`),
			reload: () => {
				controlled.push("reload");
				return { changed: ["log.level"], needRestart: ["server.port"] };
			},
		},
		naming: {
			change: async ({ name, isSetUp = false }) => {
				controlled.push(`named ${name}`);
				return { name: name || "tester", isSetUp };
			},
		},
		updates: {
			check: async () => ({
				is: "newer",
				version: "1.3.0",
				bytes: 9,
				notes: "Better.",
				reason: "",
			}),
		},
		asyncApi: () => ({ channels: { status: {} }, operations: {} }),
		logs: logTail,
	};
}

/** A page and one file of it, in the form of build/console.json. */
export const smallConsole: ConsoleBundle = {
	files: {
		"index.html": zipped("text/html; charset=utf-8", "<!doctype html>small"),
		"main-ABC.js": zipped("text/javascript; charset=utf-8", "let small = 1;"),
	},
};

function zipped(type: string, content: string) {
	return { type, gzip: gzipSync(content).toString("base64") };
}

/** What `/metrics` shows of its one lane. */
export const laneStats = {
	lane: "live",
	slots: 8,
	busy: 1,
	queued: 2,
	refused: 3,
	unrecognizedSeconds: new Map([["doubt", 1.5]]),
	restarts: 4,
	deaths: 5,
	load: {
		kernels: [],
		rssBytes: 6,
		audioSeconds: 7,
		decodeSeconds: 8,
		refinementFailures: 9,
	},
};
