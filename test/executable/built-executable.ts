/**
 * The program as one file, for tests: the file named by `EARSHOT_BIN`, else built here once for each state of the code (a few seconds; the Node binary for it is
 * downloaded the first time).
 */
import { execFile } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { tryLockFile } from "../../runtime/store/file-lock.js";
import { repository } from "../e2e/running-appliance.js";
import { madeOnce } from "../fixtures/made-once.js";

export interface BuiltExecutable {
	/** Others use it too: it may not be changed. */
	readonly path: string;
}

/** In `build/`. */
const name = "test-executable";
/** All that goes into it; packages as they are installed. */
const parts = [
	...["build/runtime", "build/drivers", "build/scripts", "build/console.json"],
	...["drivers/onnx/capi/native", "package.json", "package-lock.json"],
	...["models/catalogue.json", "models/catalogue.json.sig"],
	...["LICENSE", "NOTICE"],
];

/** @returns the reason if it can't be built here. */
export async function builtExecutable(): Promise<BuiltExecutable | string> {
	if (process.env.EARSHOT_BIN) return { path: process.env.EARSHOT_BIN };
	let folder: string;
	try {
		folder = await inTurn(() => madeOnce({ name, of: parts }, buildInto));
	} catch (error) {
		const { stderr = "" } = error as { stderr?: string };
		if (/fetching/.test(stderr) && /npm (error|ERR)/.test(stderr))
			return "the Node binary that goes into the executable can't be fetched here";
		throw error;
	}
	const file = readdirSync(folder).find((it) => /^earshot-.*-linux-/.test(it));
	return { path: join(folder, file ?? "") };
}

/** One process at a time: another would build what this one is about to keep. */
async function inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
	const place = join("build", name);
	mkdirSync(place, { recursive: true });
	const turn = openSync(place, "r");
	try {
		while (!tryLockFile(turn, "exclusive")) await pause(100);
		return await act();
	} finally {
		closeSync(turn); // the lock ends with it
	}
}

/** @returns the output of the build: checksum, path and size. */
export async function buildInto(folder: string): Promise<string> {
	const { stdout } = await promisify(execFile)(
		process.execPath,
		["build/scripts/executable/build-executable.js", "--out", folder],
		{ cwd: repository },
	);
	return stdout;
}
