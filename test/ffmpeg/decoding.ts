/** What the tests of the decoder share: its options, its input in pieces, its samples as a whole, and programs in ffmpeg's place. */
import { writeFile } from "node:fs/promises";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import type {
	Container,
	DecodeOptions,
} from "../../runtime/audio/decoder-port.js";
import { cutAnywhere } from "../audio/cuts.js";
import { join } from "../audio/signals.js";
import { randomOf } from "../fuzz/random.js";

export async function all(
	samples: AsyncIterable<Float32Array>,
): Promise<Float32Array> {
	const pieces: Float32Array[] = [];
	for await (const piece of samples) pieces.push(piece);
	return join(pieces);
}

export async function* inPieces(
	bytes: Uint8Array,
	seed = 1,
): AsyncGenerator<Uint8Array, void, void> {
	yield* cutAnywhere(bytes, 9000, randomOf(seed));
}

export function options(
	container: Container,
	more: Partial<DecodeOptions> = {},
): DecodeOptions {
	return { container, durationSecondsMax: 60, ...more };
}

/** A decoder whose program, written to this path, runs the script with any arguments. */
export async function pretender(
	path: string,
	script: string,
	stallSecondsMax = 30,
) {
	await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
	return openFfmpeg({ program: path, stallSecondsMax });
}
