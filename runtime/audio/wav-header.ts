/** The header of a WAV, for samples that are kept without one: signed 16-bit, mono. */

/** RIFF, fmt and data. */
const wavHeaderBytes = 44;

export function wavHeader(sampleRateHz: number, dataBytes: number): Uint8Array {
	const header = Buffer.alloc(wavHeaderBytes);
	header.write("RIFF", 0, "latin1");
	header.writeUInt32LE(Math.min(36 + dataBytes, 0xffff_ffff), 4);
	header.write("WAVEfmt ", 8, "latin1");
	header.writeUInt32LE(16, 16);
	header.writeUInt16LE(1, 20); // PCM
	header.writeUInt16LE(1, 22); // channels
	header.writeUInt32LE(sampleRateHz, 24);
	header.writeUInt32LE(sampleRateHz * 2, 28);
	header.writeUInt16LE(2, 32);
	header.writeUInt16LE(16, 34);
	header.write("data", 36, "latin1");
	header.writeUInt32LE(Math.min(dataBytes, 0xffff_ffff - 36), 40);
	return header;
}
