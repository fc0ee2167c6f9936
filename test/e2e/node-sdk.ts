/** A folder with OpenAI's package for Node: made on first use, outside the repository. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const nodeVersion = "7.57.0";

/** @returns an empty text where it can't be installed. */
export async function folderWithSdk(): Promise<string> {
	const { EARSHOT_TEST_CACHE, XDG_CACHE_HOME } = process.env;
	const cache =
		EARSHOT_TEST_CACHE ??
		join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "earshot-test");
	const folder = join(cache, `node-openai-${nodeVersion}`);
	if (existsSync(join(folder, "node_modules/openai"))) return folder;
	mkdirSync(folder, { recursive: true });
	try {
		await run("npm", [
			...["install", "--silent", "--no-save", "--prefix", folder],
			`openai@${nodeVersion}`,
		]);
		return folder;
	} catch {
		return "";
	}
}
