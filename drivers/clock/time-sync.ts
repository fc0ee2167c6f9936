/**
 * Whether the machine's clock is synchronised. The sources are the kernel; where a sandbox forbids that call, a file of systemd-timesyncd; and then
 * `timedatectl`, which queries systemd-timedated.
 */
import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import type { TimeSync } from "../../runtime/clock/sync-port.js";
import { kernelSynchronised } from "./kernel-clock.js";

const touchedFile = "/run/systemd/timesync/synchronized";
/** timesyncd queries its server, and touches the file, at least every 2048 s. */
const touchedMsMax = 2 * 2048 * 1000;
/** `timedatectl` is not run more often, because it starts a process. */
const queryEveryMs = 600_000;
const commandMsMaxUsual = 2000;

export interface TimeSyncSources {
	readonly kernel: () => boolean | undefined;
	readonly file: string;
	readonly command: string;
	/** Longest time that it may take. */
	readonly commandMsMax: number;
}

export function openTimeSync(sources: Partial<TimeSyncSources> = {}): TimeSync {
	const {
		kernel = kernelSynchronised,
		file = touchedFile,
		command = "timedatectl",
		commandMsMax = commandMsMaxUsual,
	} = sources;
	let last: { result: Promise<boolean | undefined>; atMs: number } | undefined;
	return async (anew = false) => {
		const known = kernel() ?? (await touched(file));
		if (known !== undefined) return known;
		const nowMs = performance.now();
		if (!last || anew || nowMs - last.atMs >= queryEveryMs)
			last = { result: query(command, commandMsMax), atMs: nowMs };
		return last.result;
	};
}

/** The file must have been touched near the current time; an older one, or one in the future, is from before the clock was set. */
async function touched(file: string): Promise<true | undefined> {
	try {
		const { mtimeMs } = await stat(file);
		return Math.abs(Date.now() - mtimeMs) < touchedMsMax || undefined;
	} catch {
		return undefined;
	}
}

function query(command: string, timeout: number): Promise<boolean | undefined> {
	return new Promise((resolve) => {
		execFile(
			command,
			["show", "--property=NTPSynchronized", "--value"],
			{ timeout },
			(error, output) => {
				const value = output.trim();
				if (error || (value !== "yes" && value !== "no")) resolve(undefined);
				else resolve(value === "yes");
			},
		);
	});
}
