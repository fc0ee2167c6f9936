/** Which C library a set of shared libraries asks for: the newest version that one of them names. */
import { readFileSync } from "node:fs";

const named = /\0GLIBC_(\d+)\.(\d+)/g;

/** @returns for example `2.28`. */
export function neededGlibc(paths: readonly string[]): string {
	let newest: [number, number] = [2, 0];
	// names of versions stand in the library's string table, each after a zero byte
	for (const path of paths)
		for (const [, major, minor] of readFileSync(path, "latin1").matchAll(
			named,
		)) {
			const found: [number, number] = [Number(major), Number(minor)];
			if (
				found[0] > newest[0] ||
				(found[0] === newest[0] && found[1] > newest[1])
			)
				newest = found;
		}
	return newest.join(".");
}
