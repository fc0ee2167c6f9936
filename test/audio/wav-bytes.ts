/**
 * WAV files as bytes, including ones with wrong headers.
 */
export interface WavFields {
	/** WAVE_FORMAT tag. */
	readonly tag: number;
	readonly channels: number;
	readonly sampleRateHz: number;
	readonly bits: number;
	readonly data: Uint8Array;
	/** Values in the headers, if they are to be wrong. */
	readonly dataBytesDeclared?: number;
	readonly riffBytesDeclared?: number;
	readonly magic?: "RIFF" | "RF64";
	/** Chunks inserted before the data: id and body. */
	readonly chunksBefore?: readonly (readonly [string, Uint8Array])[];
	readonly chunksAfter?: readonly (readonly [string, Uint8Array])[];
	readonly extensible?: boolean;
}

export function wavBytes(fields: WavFields): Uint8Array {
	const data = chunk("data", fields.data, fields.dataBytesDeclared);
	const body = Buffer.concat([
		Buffer.from("WAVE"),
		...(fields.chunksBefore ?? []).map(([id, bytes]) => chunk(id, bytes)),
		chunk("fmt ", formatBody(fields)),
		data,
		...(fields.chunksAfter ?? []).map(([id, bytes]) => chunk(id, bytes)),
	]);
	const head = Buffer.alloc(8);
	head.write(fields.magic ?? "RIFF", "latin1");
	head.writeUInt32LE(fields.riffBytesDeclared ?? body.length, 4);
	return new Uint8Array(Buffer.concat([head, body]));
}

/** @param data 16-bit samples. */
export function pcmWav(
	data: Uint8Array,
	sampleRateHz = 16_000,
	channels = 1,
): Buffer {
	return Buffer.from(
		wavBytes({ tag: 1, channels, sampleRateHz, bits: 16, data }),
	);
}

function chunk(
	id: string,
	body: Uint8Array,
	bytesDeclared = body.length,
): Buffer {
	const head = Buffer.alloc(8);
	head.write(id, "latin1");
	head.writeUInt32LE(bytesDeclared, 4);
	return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function formatBody(fields: WavFields): Buffer {
	const blockBytes = (fields.channels * fields.bits) / 8;
	const body = Buffer.alloc(fields.extensible ? 40 : 16);
	body.writeUInt16LE(fields.extensible ? 0xfffe : fields.tag, 0);
	body.writeUInt16LE(fields.channels, 2);
	body.writeUInt32LE(fields.sampleRateHz, 4);
	body.writeUInt32LE(fields.sampleRateHz * blockBytes, 8);
	body.writeUInt16LE(blockBytes, 12);
	body.writeUInt16LE(fields.bits, 14);
	if (fields.extensible) {
		body.writeUInt16LE(22, 16);
		body.writeUInt16LE(fields.bits, 18);
		body.writeUInt16LE(fields.tag, 24);
		body.write("0000000010008000\0\xaa\0\x38\x9b\x71", 26, "latin1");
	}
	return body;
}

export function s16Bytes(samples: Float32Array): Uint8Array {
	const bytes = Buffer.alloc(samples.length * 2);
	samples.forEach((sample, i) => {
		const scaled = Math.round(sample * 32768);
		bytes.writeInt16LE(Math.min(32767, Math.max(-32768, scaled)), i * 2);
	});
	return new Uint8Array(bytes);
}
