/** A benchmark's folder of models: the checkout's packages beside one that only it has. */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

/** What is in the folder already is left as it is. */
export function linkPackages(
	folder: string,
	names: readonly string[] = readdirSync("models"),
): void {
	mkdirSync(folder, { recursive: true });
	for (const name of names) {
		const to = join(folder, name);
		if (!existsSync(to)) symlinkSync(resolve("models", name), to);
	}
}
