/** The folder of an engine in this process. An engine empties its spool folder, and that of a running appliance is in use. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ScratchFolder {
	readonly path: string;
	remove(): void;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const signals = Object.keys(exitCodes) as (keyof typeof exitCodes)[];

/** It is removed at the latest when the process ends, which each of these signals brings about. */
export function openScratchFolder(): ScratchFolder {
	const path = mkdtempSync(join(tmpdir(), "earshot-"));
	const clear = () => rmSync(path, { recursive: true, force: true });
	const end = (signal: keyof typeof exitCodes) =>
		process.exit(exitCodes[signal]);
	process.once("exit", clear);
	for (const signal of signals) process.on(signal, end);
	return {
		path,
		remove() {
			process.off("exit", clear);
			for (const signal of signals) process.off(signal, end);
			clear();
		},
	};
}
