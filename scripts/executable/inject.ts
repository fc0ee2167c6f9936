/**
 * Program and assets put into a Node binary ("single executable application", Node's documentation of that name): Node itself makes a blob of them; it is
 * added as a note, and the fuse is turned that makes Node look for it. The documentation's tool, postject, has been an alpha version since 2022; it sorts
 * the program's symbol tables anew, which is more than we want done to a binary that native addons are linked against.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { addNote } from "./elf.js";
import { nodeFolder } from "./packages.js";
import type { Architecture, Target } from "./target.js";

/** Both names are Node's. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const noteName = "NODE_SEA_BLOB";

export interface Content {
	readonly code: string;
	/** Asset name to path. */
	readonly assets: Readonly<Record<string, string>>;
}

/** @param work a folder for what is in between, always the same: its name is part of the result. */
export function makeExecutable(
	target: Target,
	content: Content,
	work: string,
	output: string,
): void {
	const blob = makeBlob(target, content, work);
	const node = readFileSync(nodeBinary(target));
	turnFuse(node);
	const growing = join(work, "executable");
	writeFileSync(growing, addNote(node, noteName, blob));
	chmodSync(growing, 0o755);
	renameSync(growing, output); // one that runs is not changed
}

/** Node of this machine's processor makes it, in the version that will read it. */
function makeBlob(target: Target, content: Content, work: string): Buffer {
	const main = join(work, "main.cjs");
	const config = join(work, "sea.json");
	const blob = join(work, "sea.blob");
	writeFileSync(main, content.code);
	const settings = {
		main: relative(".", main),
		output: blob,
		disableExperimentalSEAWarning: true,
		useSnapshot: false,
		useCodeCache: false, // would be of this processor
		assets: content.assets,
	};
	writeFileSync(config, JSON.stringify(settings));
	const here = { ...target, architecture: process.arch as Architecture };
	execFileSync(nodeBinary(here), ["--experimental-sea-config", config], {
		stdio: ["ignore", "ignore", "inherit"],
		env: {},
	});
	return readFileSync(blob);
}

function turnFuse(node: Buffer): void {
	const at = node.indexOf(`${fuse}:0`);
	if (at < 0 || node.indexOf(fuse, at + 1) >= 0)
		throw new Error("this Node binary has not one fuse");
	node.write("1", at + fuse.length + 1);
}

function nodeBinary(target: Target): string {
	return join(nodeFolder(target), "bin/node");
}
