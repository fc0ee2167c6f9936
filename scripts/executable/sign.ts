/** An executable signed for `earshot update`, by minisign itself: it asks for the key's password, and knows keys of every age. */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { basename } from "node:path";

/** Writes `<path>.minisig`. @param key the secret key's file. @throws */
export function signExecutable(
	path: string,
	key: string,
	{ version, architecture }: { version: string; architecture: string },
): void {
	// what a device may know before it fetches 200 MB
	const comment = [
		`timestamp:${Math.floor(Date.now() / 1000)}`,
		`file:${basename(path)}`,
		`version:${version}`,
		`arch:${architecture}`,
		`bytes:${statSync(path).size}`,
	].join("\t");
	const { error, status } = spawnSync(
		"minisign",
		["-S", "-s", key, "-m", path, "-t", comment],
		{ stdio: "inherit" },
	);
	if ((error as NodeJS.ErrnoException | undefined)?.code === "ENOENT")
		throw new Error("--sign needs minisign: apt-get install minisign");
	if (error || status !== 0)
		throw new Error(`minisign did not sign ${path} (${status})`, {
			cause: error,
		});
}
