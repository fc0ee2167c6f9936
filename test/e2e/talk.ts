/** Sounds one behind the other, as a WAV file of 16 kHz. */
export function wavBytes(parts: readonly Float32Array[]): Uint8Array {
	const samples = parts.reduce((sum, it) => sum + it.length, 0);
	const bytes = Buffer.alloc(44 + 2 * samples);
	bytes.write("RIFF", 0);
	bytes.writeUInt32LE(36 + 2 * samples, 4);
	bytes.write("WAVEfmt ", 8);
	bytes.writeUInt32LE(16, 16);
	bytes.writeUInt16LE(1, 20);
	bytes.writeUInt16LE(1, 22);
	bytes.writeUInt32LE(16_000, 24);
	bytes.writeUInt32LE(32_000, 28);
	bytes.writeUInt16LE(2, 32);
	bytes.writeUInt16LE(16, 34);
	bytes.write("data", 36);
	bytes.writeUInt32LE(2 * samples, 40);
	let at = 44;
	for (const part of parts)
		for (const sample of part) {
			bytes.writeInt16LE(Math.round(sample * 32_767), at);
			at += 2;
		}
	return bytes;
}
