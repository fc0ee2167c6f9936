/**
 * Containers through the system's ffmpeg, one child process a file: its bugs die with it, and its appetite has limits.
 */
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import type {
	ContainerDecoder,
	DecodeOptions,
} from "../../runtime/audio/decoder-port.js";
import { CodedError } from "../../runtime/errors.js";
import { decodeArgv, isStreamable, limitedArgv } from "./argv.js";
import { readSamples } from "./child.js";
import { findExecutable } from "./executable.js";
import { spoolBytes } from "./spool.js";

export interface FfmpegOptions {
	/** A name on the PATH or an absolute path. */
	readonly program?: string;
	/** Where input that must be seekable is kept while it is decoded. */
	readonly spoolFolder?: string;
	readonly spoolBytesMax?: number;
	readonly stallSecondsMax?: number;
}

/** 2 GiB: the largest file the interface allows. */
const spoolBytesMaxDefault = 2 * 1024 ** 3;
const stallSecondsMaxDefault = 30;

export function openFfmpeg(options: FfmpegOptions = {}): ContainerDecoder {
	return {
		decodeFile: (path, decode) =>
			decodeFrom(options, decode, resolve(path), undefined),
		decodeBytes: (bytes, decode) =>
			isStreamable(decode.container)
				? decodeFrom(options, decode, undefined, bytes)
				: decodeSpooled(options, decode, bytes),
	};
}

async function* decodeFrom(
	options: FfmpegOptions,
	decode: DecodeOptions,
	path: string | undefined,
	input: AsyncIterable<Uint8Array> | undefined,
): AsyncGenerator<Float32Array, void, void> {
	const program = await requireExecutable(options.program ?? "ffmpeg");
	yield* readSamples({
		argv: limitedArgv([program, ...decodeArgv(path, decode)], decode),
		input,
		secrets: path === undefined ? [] : [path],
		stallSecondsMax: options.stallSecondsMax ?? stallSecondsMaxDefault,
		signal: decode.signal,
	});
}

async function* decodeSpooled(
	options: FfmpegOptions,
	decode: DecodeOptions,
	bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Float32Array, void, void> {
	const spool = await spoolBytes(
		bytes,
		options.spoolFolder ?? tmpdir(),
		options.spoolBytesMax ?? spoolBytesMaxDefault,
		decode.signal,
	);
	try {
		yield* decodeFrom(options, decode, spool.path, undefined);
	} finally {
		await spool.remove();
	}
}

async function requireExecutable(name: string): Promise<string> {
	const program = await findExecutable(name);
	if (!program) throw missing("ffmpeg", "ffmpeg");
	if (!(await findExecutable("prlimit")))
		throw missing("prlimit", "util-linux");
	return program;
}

/** Our fault, not the audio's: whoever sent it can do nothing about it. */
function missing(program: string, debianPackage: string): CodedError {
	return new CodedError(
		"100003",
		`audio in a container can't be decoded on this device: ${program} is not installed (apt-get install ${debianPackage})`,
	);
}
