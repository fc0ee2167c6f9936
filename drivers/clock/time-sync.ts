/**
 * Whether the machine's clock is synchronised. The kernel knows; where a sandbox keeps us from asking it, systemd-timesyncd leaves a file, and systemd-timedated
 * answers `timedatectl`.
 */
import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import type { TimeSync } from "../../runtime/clock/sync-port.js";
import { kernelSynchronised } from "./kernel-clock.js";

const touchedFile = "/run/systemd/timesync/synchronized";
/** timesyncd asks its server, and touches the file, at least every 2048 s. */
const touchedMsMax = 2 * 2048 * 1000;
/** A program is started for it. */
const askEveryMs = 600_000;
const askMsMax = 2000;

export interface TimeSyncSources {
	readonly kernel: () => boolean | undefined;
	readonly file: string;
	readonly command: string;
}

export function openTimeSync(sources: Partial<TimeSyncSources> = {}): TimeSync {
	const {
		kernel = kernelSynchronised,
		file = touchedFile,
		command = "timedatectl",
	} = sources;
	let asked: { answer: Promise<boolean | undefined>; atMs: number } | undefined;
	return async (anew = false) => {
		const known = kernel() ?? (await touched(file));
		if (known !== undefined) return known;
		const nowMs = performance.now();
		if (!asked || anew || nowMs - asked.atMs >= askEveryMs)
			asked = { answer: ask(command), atMs: nowMs };
		return asked.answer;
	};
}

/** Touched at about the time that the clock has now; one that is older, or of the future, was left by a clock that was set since. */
async function touched(file: string): Promise<true | undefined> {
	try {
		const { mtimeMs } = await stat(file);
		return Math.abs(Date.now() - mtimeMs) < touchedMsMax || undefined;
	} catch {
		return undefined;
	}
}

function ask(command: string): Promise<boolean | undefined> {
	return new Promise((resolve) => {
		execFile(
			command,
			["show", "--property=NTPSynchronized", "--value"],
			{ timeout: askMsMax },
			(error, output) => {
				const said = output.trim();
				if (error || (said !== "yes" && said !== "no")) resolve(undefined);
				else resolve(said === "yes");
			},
		);
	});
}
