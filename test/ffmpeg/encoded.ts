/**
 * Files of every format, made on demand: a tone encoded by the system's ffmpeg.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export const clipSeconds = 3;
const source = [
	...[
		"-f",
		"lavfi",
		"-i",
		`sine=frequency=500:duration=${clipSeconds}:sample_rate=16000`,
	],
	...["-af", "volume=4"], // lavfi's sine is 18 dB down
];

export class EncodedFiles {
	readonly folder: string;

	private constructor(folder: string) {
		this.folder = folder;
	}

	static async create(): Promise<EncodedFiles> {
		return new EncodedFiles(await mkdtemp(join(tmpdir(), "earshot-encoded-")));
	}

	/** @returns path. */
	async encode(name: string, args: readonly string[]): Promise<string> {
		const path = join(this.folder, name);
		await this.ffmpeg([...source, ...args, path]);
		return path;
	}

	async ffmpeg(args: readonly string[]): Promise<void> {
		await run("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args]);
	}

	path(name: string): string {
		return join(this.folder, name);
	}

	read(name: string): Promise<Buffer> {
		return readFile(this.path(name));
	}

	remove(): Promise<void> {
		return rm(this.folder, { recursive: true, force: true });
	}
}

/** Why tests with ffmpeg are skipped; false if it is available. */
export async function ffmpegMissing(): Promise<string | false> {
	try {
		await run("ffmpeg", ["-version"]);
		return false;
	} catch {
		return "ffmpeg is not installed (apt-get install ffmpeg)";
	}
}

export async function hasEncoder(encoder: string): Promise<boolean> {
	const { stdout } = await run("ffmpeg", ["-v", "error", "-encoders"]);
	return stdout
		.split("\n")
		.some((line) => line.trim().split(/\s+/)[1] === encoder);
}

/**
 * AMR-NB by hand, for machines whose ffmpeg can't write it: comfort noise frames at 12.2 kbit/s, 20 ms each.
 */
export function amrBytes(frames: number): Uint8Array {
	const frame = Buffer.alloc(32);
	frame[0] = 0x3c; // mode 7, good
	for (let i = 1; i < frame.length; i++) frame[i] = (i * 73) & 0xff;
	return new Uint8Array(
		Buffer.concat([
			Buffer.from("#!AMR\n"),
			...new Array<Buffer>(frames).fill(frame),
		]),
	);
}
