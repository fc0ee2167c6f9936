/**
 * One ffmpeg process: started under limits, read at the consumer's pace, and always ended.
 */
import type { Writable } from "node:stream";
import { CodedError } from "../../runtime/errors.js";
import { StallWatch } from "./stall-watch.js";
import { type Exit, Subprocess } from "./subprocess.js";
import { undecodable } from "./undecodable.js";

export interface ChildOptions {
	/** Program and arguments. */
	readonly argv: readonly string[];
	/** Written to standard input; undefined: no input. */
	readonly input: AsyncIterable<Uint8Array> | undefined;
	/** Removed from messages. */
	readonly secrets: readonly string[];
	/** Longest time without output while the child has all its input. */
	readonly stallSecondsMax: number;
	readonly signal: AbortSignal | undefined;
}

const bytesPerSample = 4;

/** @returns samples as the child writes them. @throws as `readBytes` does */
export async function* readSamples(
	options: ChildOptions,
): AsyncGenerator<Float32Array, void, void> {
	const frames = new SampleCutter();
	for await (const bytes of readBytes(options)) {
		const samples = frames.accept(bytes);
		if (samples.length > 0) yield samples;
	}
}

/** @returns the child's output. @throws CodedError 200006 when it fails, 200007 when it writes nothing; the signal's reason when aborted; Error if it can't be started. */
export async function* readBytes(
	options: ChildOptions,
): AsyncGenerator<Buffer, void, void> {
	const child = await Subprocess.start("pipe", options);
	const watch = new StallWatch(options.stallSecondsMax * 1000, () =>
		child.kill(
			undecodable(`the decoder stalled for ${options.stallSecondsMax} s`),
		),
	);
	let inputIsComplete = options.input === undefined;
	let outputIsAwaited = false; // not while the consumer is busy with what it got
	const feeding = feed(child.stdin, options.input, {
		ended: () => {
			inputIsComplete = true;
			if (outputIsAwaited) watch.arm();
		},
		failed: (reason) => child.kill(reason),
	});
	try {
		let bytesSeen = 0;
		const output = child.stdout[Symbol.asyncIterator]();
		for (;;) {
			if (inputIsComplete) watch.arm();
			outputIsAwaited = true;
			const next = await output.next();
			outputIsAwaited = false;
			watch.disarm();
			if (next.done) break;
			bytesSeen += next.value.length;
			yield next.value;
		}
		const failure = failureOf(await child.exit());
		if (failure || bytesSeen === 0)
			throw decodingError(child.stderr.lastLine() || failure, bytesSeen);
	} finally {
		watch.disarm();
		await child.end();
		feeding.stop();
	}
}

function failureOf([code, signal]: Exit): string | undefined {
	if (signal) return `the decoder was killed by ${signal}`;
	if (typeof code === "string") return code;
	return code === 0 ? undefined : `the decoder ended with status ${code}`;
}

/** Writes the input as fast as the child reads it. */
function feed(
	stdin: Writable,
	input: AsyncIterable<Uint8Array> | undefined,
	on: { ended: () => void; failed: (reason: unknown) => void },
): { stop: () => void } {
	stdin.on("error", () => {}); // a child that needs no more input closes its end
	if (!input) {
		stdin.end();
		return { stop: () => {} };
	}
	const source = input[Symbol.asyncIterator]();
	pump(source, stdin).then(on.ended, on.failed);
	return {
		stop: () => {
			stdin.destroy();
			// not awaited: the source may wait for an idle client
			source.return?.().catch(() => {});
		},
	};
}

async function pump(
	source: AsyncIterator<Uint8Array>,
	stdin: Writable,
): Promise<void> {
	for (;;) {
		const next = await source.next();
		if (next.done || !stdin.writable) break;
		if (!stdin.write(next.value)) await drainOrClose(stdin);
	}
	stdin.end();
}

function drainOrClose(stdin: Writable): Promise<void> {
	return new Promise((resolve) => {
		const settle = () => {
			stdin.off("drain", settle);
			stdin.off("close", settle);
			resolve();
		};
		stdin.on("drain", settle);
		stdin.on("close", settle);
		if (stdin.destroyed) settle();
	});
}

/** Assembles samples from pipe reads, which may split a sample. */
class SampleCutter {
	#carry: Buffer = Buffer.alloc(0);

	/** @param bytes little-endian floats, the byte order of all supported machines. */
	accept(bytes: Buffer): Float32Array {
		const whole =
			this.#carry.length > 0 ? Buffer.concat([this.#carry, bytes]) : bytes;
		const samples = new Float32Array(Math.floor(whole.length / bytesPerSample));
		const used = samples.length * bytesPerSample;
		new Uint8Array(samples.buffer).set(whole.subarray(0, used));
		this.#carry = Buffer.from(whole.subarray(used));
		return samples;
	}
}

/** How ffmpeg says that its input was at its end before it had found what it needs. */
const endedEarly = /End of file|ended prematurely|Input\/output error$/;

/** @param complaint undefined: the child did not complain, and wrote nothing. */
function decodingError(
	complaint: string | undefined,
	bytesSeen: number,
): CodedError {
	return bytesSeen === 0 && endedEarly.test(complaint ?? "End of file")
		? new CodedError("200007", "audio ends before its first block of sound")
		: undecodable(complaint ?? "no samples");
}
