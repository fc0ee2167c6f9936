/** A simulated sound card: ALSA's `file` plugin in an asoundrc of the test. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folders = [
	"/lib/x86_64-linux-gnu",
	"/usr/lib/x86_64-linux-gnu",
	"/lib/aarch64-linux-gnu",
	"/usr/lib/aarch64-linux-gnu",
	"/usr/lib64",
	"/usr/lib",
];

/** Why tests that need libasound can't run here; false where they can. */
export const alsaMissing: string | false = folders.some((it) =>
	existsSync(join(it, "libasound.so.2")),
)
	? false
	: "libasound.so.2 is not installed";

/**
 * @param folder of the test.
 * @param samples interleaved frames, in the format of the card's buffer.
 * @returns the environment in which the device `mic` is that card.
 */
export function fakeCard(
	folder: string,
	samples: Uint8Array,
): Record<string, string> {
	const raw = join(folder, "card.raw");
	writeFileSync(raw, samples);
	const config = join(folder, "asoundrc");
	writeFileSync(
		config,
		`pcm.null { type null }
pcm.mic { type file slave.pcm "null" file "/dev/null" infile "${raw}" format "raw" }
`,
	);
	return { ALSA_CONFIG_PATH: config };
}

export function interleaved(
	channels: readonly Float32Array[],
	write: (bytes: Buffer, sample: number, at: number) => void,
	bytesPerSample: number,
): Buffer {
	const frames = channels[0]?.length ?? 0;
	const bytes = Buffer.alloc(frames * channels.length * bytesPerSample);
	let at = 0;
	for (let i = 0; i < frames; i++)
		for (const samples of channels) {
			write(bytes, samples[i] as number, at);
			at += bytesPerSample;
		}
	return bytes;
}

export const writers = {
	S16_LE: (bytes: Buffer, sample: number, at: number) =>
		bytes.writeInt16LE(Math.round(sample * 32767), at),
	S24_LE: (bytes: Buffer, sample: number, at: number) =>
		// the highest byte is undefined, as some drivers leave it
		bytes.writeUInt32LE(
			((Math.round(sample * 8388607) & 0xffffff) | 0x5a000000) >>> 0,
			at,
		),
	S32_LE: (bytes: Buffer, sample: number, at: number) =>
		bytes.writeInt32LE(Math.round(sample * 2147483520), at),
	FLOAT_LE: (bytes: Buffer, sample: number, at: number) =>
		bytes.writeFloatLE(sample, at),
} as const;
