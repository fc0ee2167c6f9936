/** An executable signed for `earshot update`, by minisign itself: it asks for the key's password, and knows keys of every age. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { notesBytesMax } from "../../runtime/update/release-notes.js";

export interface Signed {
	readonly version: string;
	readonly architecture: string;
	/** A file that says what this version changes. */
	readonly notes: string | undefined;
}

/** Writes `<path>.minisig`, and `<path>.notes` where there are notes. @param key the secret key's file. @throws */
export function signExecutable(
	path: string,
	key: string,
	{ version, architecture, notes }: Signed,
): void {
	if (notes) copyFileSync(notes, `${path}.notes`);
	// what a device may know before it fetches 200 MB
	const comment = [
		`timestamp:${Math.floor(Date.now() / 1000)}`,
		`file:${basename(path)}`,
		`version:${version}`,
		`arch:${architecture}`,
		`bytes:${statSync(path).size}`,
		...(notes ? [`notes:${sha256Of(notes)}`] : []),
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

/** @throws if a device would refuse them. */
function sha256Of(notes: string): string {
	const bytes = readFileSync(notes);
	if (bytes.length > notesBytesMax)
		throw new Error(`${notes} has more than ${notesBytesMax} bytes`);
	return createHash("sha256").update(bytes).digest("hex");
}
