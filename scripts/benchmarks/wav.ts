/**
 * The benchmarks' own clips, read and written: plain 16 kHz mono 16-bit WAV. Not the product's reader: a peer must not depend on it.
 */
import { readFileSync, writeFileSync } from "node:fs";

export const sampleRateHz = 16000;

/** The samples as they lie in the file. @throws when it is not 16 kHz mono 16-bit. */
export function readWav(path: string): Int16Array {
	const bytes = readFileSync(path);
	let at = 12;
	let format = "";
	while (at + 8 <= bytes.length) {
		const name = bytes.toString("latin1", at, at + 4);
		const size = bytes.readUInt32LE(at + 4);
		const body = bytes.subarray(at + 8, at + 8 + size);
		if (name === "fmt ")
			format = `${body.readUInt16LE(2)} x ${body.readUInt16LE(14)} bit, ${body.readUInt32LE(4)} Hz`;
		if (name === "data") {
			if (format !== `1 x 16 bit, ${sampleRateHz} Hz`)
				throw new Error(
					`${path} is ${format}, wanted 1 x 16 bit, ${sampleRateHz} Hz`,
				);
			const samples = new Int16Array(Math.floor(body.length / 2));
			for (let index = 0; index < samples.length; index++)
				samples[index] = body.readInt16LE(2 * index);
			return samples;
		}
		at += 8 + size + (size % 2);
	}
	throw new Error(`${path} has no samples`);
}

export function writeWav(path: string, samples: Int16Array): void {
	writeFileSync(path, wavFile(samples));
}

/** The whole file. */
export function wavFile(samples: Int16Array): Buffer {
	const bytes = Buffer.alloc(44 + 2 * samples.length);
	bytes.write("RIFF", 0, "latin1");
	bytes.writeUInt32LE(bytes.length - 8, 4);
	bytes.write("WAVEfmt ", 8, "latin1");
	bytes.writeUInt32LE(16, 16);
	bytes.writeUInt16LE(1, 20);
	bytes.writeUInt16LE(1, 22);
	bytes.writeUInt32LE(sampleRateHz, 24);
	bytes.writeUInt32LE(2 * sampleRateHz, 28);
	bytes.writeUInt16LE(2, 32);
	bytes.writeUInt16LE(16, 34);
	bytes.write("data", 36, "latin1");
	bytes.writeUInt32LE(2 * samples.length, 40);
	samples.forEach((sample, index) => {
		bytes.writeInt16LE(sample, 44 + 2 * index);
	});
	return bytes;
}

/** [-1, 1) */
export function toFloat(samples: Int16Array): Float32Array {
	return Float32Array.from(samples, (sample) => sample / 32768);
}
