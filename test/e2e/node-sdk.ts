/**
 * npm packages that others wrote, for tests that call an appliance with them: installed on first use, outside the repository. Where they can't be (no package
 * index) the tests that need them are skipped.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const packages = ["openai@7.57.0", "ai@7.0.173", "@ai-sdk/openai@4.0.118"];

/** @returns the folder that has `node_modules`; an empty text where they can't be installed. */
export async function folderWithSdk(): Promise<string> {
	const { EARSHOT_TEST_CACHE, XDG_CACHE_HOME } = process.env;
	const cache =
		EARSHOT_TEST_CACHE ??
		join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "earshot-test");
	const versions = packages.map((it) => it.split("@").at(-1)).join("-");
	const folder = join(cache, `node-sdks-${versions}`);
	if (existsSync(join(folder, "node_modules/@ai-sdk/openai"))) return folder;
	mkdirSync(folder, { recursive: true });
	try {
		await promisify(execFile)("npm", [
			...["install", "--silent", "--no-save", "--prefix", folder],
			...packages,
		]);
		return folder;
	} catch {
		return "";
	}
}
