/**
 * Real speech for tests: a few clips in the repository, and many more outside it, or the reason why they are missing.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { listen } from "./listen.js";

export const ownClipFolder = "test/clips";
export const clipFolder = "../shared/audio";

/** Why tests with real speech are skipped; false if the clips are available. */
export const clipsMissing: string | false = existsSync(clipFolder)
	? false
	: `${clipFolder} is not here`;

/** Names of the WAV files in it. */
export function clipNames(folder = clipFolder): string[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith(".wav"))
		.sort();
}

/** The samples of a clip of the repository as they lie in its file: mono, 16 kHz, 16-bit. */
export function clipBytes(name: string, folder = ownClipFolder): Buffer {
	return readFileSync(joinPath(folder, name)).subarray(44);
}

/** Mono, 16 kHz. */
export function readClip(
	name: string,
	folder = clipFolder,
): Promise<Float32Array> {
	return listen([readFileSync(joinPath(folder, name))], {
		format: "wav",
		durationSecondsMax: Number.POSITIVE_INFINITY,
	});
}
