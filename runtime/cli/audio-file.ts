/** An audio file of the command line: checks that it can be read, and derives its format from its name. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { AudioFormat } from "../audio/container.js";

export interface AudioFile {
	readonly path: string;
	readonly name: string;
	readonly bytes: number;
	readonly format: AudioFormat;
}

/** Other names are read as WAV: the format is detected from the bytes where possible. */
const formats: Readonly<Record<string, AudioFormat>> = {
	".pcm": "pcm",
	".raw": "pcm",
	".wav": "wav",
	".ogg": "ogg",
	".oga": "ogg",
	".opus": "opus",
	".webm": "webm",
	".mp3": "mp3",
	".mpga": "mp3",
	".mpeg": "mp3",
	".aac": "aac",
	".amr": "amr",
	".m4a": "m4a",
	".mp4": "mp4",
	".3gp": "3gp",
	".flac": "flac",
};

/** @throws Error with a message for people. */
export async function inspectFile(path: string): Promise<AudioFile> {
	const about = await stat(path).catch((error: NodeJS.ErrnoException) => {
		throw new Error(error.code === "ENOENT" ? "no such file" : error.message);
	});
	if (about.isDirectory()) throw new Error("is a directory");
	await access(path, constants.R_OK).catch(() => {
		throw new Error("can't be read: permission denied");
	});
	return {
		path,
		name: basename(path),
		bytes: about.size,
		format: formats[extname(path).toLowerCase()] ?? "wav",
	};
}
