/**
 * Files of every format, made on demand: a tone encoded by the system's ffmpeg. What it makes of the same arguments and files is the same each time, so it is kept in
 * `build/encoded` for the next test and the next run.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import {
	copyFile,
	mkdir,
	mkdtemp,
	readFile,
	rename,
	rm,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { findExecutable } from "../../drivers/ffmpeg/executable.js";

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

	ffmpeg(args: readonly string[]): Promise<void> {
		return ffmpegOnce(this.folder, args);
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

const kept = resolve("build/encoded");

/** @param folder of the files. @param args the last one is the only file that is written. */
export async function ffmpegOnce(
	folder: string,
	args: readonly string[],
): Promise<void> {
	const output = args.at(-1) ?? "";
	const made = join(kept, (await fingerprint(folder, args)) + extname(output));
	if (existsSync(made)) return copyFile(made, output);
	await run("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args]);
	await mkdir(kept, { recursive: true });
	const growing = `${made}.${process.pid}`;
	await copyFile(output, growing);
	await rename(growing, made);
}

/** Of the program, its arguments and the files that it reads. */
async function fingerprint(
	folder: string,
	args: readonly string[],
): Promise<string> {
	const hash = createHash("sha256");
	const program = (await findExecutable("ffmpeg")) ?? "";
	const { size, mtimeMs } = statSync(program);
	hash.update(JSON.stringify([program, size, mtimeMs]));
	for (const arg of args) {
		hash.update(`\0${arg.replace(folder, "")}\0`);
		if (arg !== args.at(-1) && existsSync(arg)) hash.update(readFileSync(arg));
	}
	return hash.digest("hex").slice(0, 32);
}

/** Why tests with ffmpeg are skipped; false if it is available. */
export async function ffmpegMissing(): Promise<string | false> {
	if (await findExecutable("ffmpeg")) return false;
	return "ffmpeg is not installed (apt-get install ffmpeg)";
}

let encoders: Promise<string> | undefined;

export async function hasEncoder(encoder: string): Promise<boolean> {
	encoders ??= run("ffmpeg", ["-v", "error", "-encoders"]).then(
		({ stdout }) => stdout,
	);
	return (await encoders)
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
