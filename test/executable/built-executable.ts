/**
 * The program as one file, for tests: the file named by `EARSHOT_BIN`, else built here once for a test file (a few seconds; the Node binary for it is
 * downloaded the first time).
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "../e2e/running-appliance.js";

export interface BuiltExecutable {
	readonly path: string;
	remove(): void;
}

/** @returns the reason if it can't be built here. */
export async function builtExecutable(): Promise<BuiltExecutable | string> {
	if (process.env.EARSHOT_BIN)
		return { path: process.env.EARSHOT_BIN, remove: () => {} };
	const folder = mkdtempSync(join(tmpdir(), "earshot-executable-"));
	const remove = () => rmSync(folder, { recursive: true, force: true });
	try {
		await buildInto(folder);
	} catch (error) {
		remove();
		const { stderr = "" } = error as { stderr?: string };
		if (/fetching/.test(stderr) && /npm (error|ERR)/.test(stderr))
			return "the Node binary that goes into the executable can't be fetched here";
		throw error;
	}
	const name = readdirSync(folder).find((it) => /^earshot-.*-linux-/.test(it));
	return { path: join(folder, name ?? ""), remove };
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
