/**
 * Sample codings that a WAV may contain, as mono or interleaved little-endian values, decoded to floats in [-1, 1); and floats as signed 16-bit values.
 * Float codings may exceed 1 and may contain NaN: the caller checks.
 */
export type SampleCodec =
	| "u8"
	| "s16"
	| "s24"
	| "s32"
	| "f32"
	| "f64"
	| "alaw"
	| "mulaw";

export const bytesPerSample: Readonly<Record<SampleCodec, number>> = {
	u8: 1,
	s16: 2,
	s24: 3,
	s32: 4,
	f32: 4,
	f64: 8,
	alaw: 1,
	mulaw: 1,
};

/**
 * Decodes whole frames and mixes their channels down to one by averaging.
 * @param bytes a whole number of frames.
 * @returns Float32Array [frames]
 */
export function decodeFrames(
	bytes: Uint8Array,
	codec: SampleCodec,
	channels: number,
): Float32Array {
	const width = bytesPerSample[codec];
	const frames = Math.floor(bytes.length / (width * channels));
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const read = sampleReaders[codec];
	const mono = new Float32Array(frames);
	let offset = 0;
	for (let frame = 0; frame < frames; frame++) {
		let sum = 0;
		for (let channel = 0; channel < channels; channel++) {
			sum += read(view, offset);
			offset += width;
		}
		mono[frame] = sum / channels;
	}
	return mono;
}

/** @returns samples coded as `s16`; those outside of [-1, 1) are clipped. */
export function s16Bytes(samples: Float32Array): Uint8Array {
	const bytes = new Uint8Array(2 * samples.length);
	const view = new DataView(bytes.buffer);
	for (let i = 0; i < samples.length; i++) {
		const value = Math.round((samples[i] as number) * 32768);
		view.setInt16(2 * i, Math.max(-32768, Math.min(32767, value)), true);
	}
	return bytes;
}

/** One sample at an offset in bytes. */
export type SampleReader = (view: DataView, offset: number) => number;

export const sampleReaders: Readonly<Record<SampleCodec, SampleReader>> = {
	u8: (view, offset) => (view.getUint8(offset) - 128) / 128,
	s16: (view, offset) => view.getInt16(offset, true) / 32768,
	s24: (view, offset) =>
		(view.getUint16(offset, true) + view.getInt8(offset + 2) * 65536) / 8388608,
	s32: (view, offset) => view.getInt32(offset, true) / 2147483648,
	f32: (view, offset) => view.getFloat32(offset, true),
	f64: (view, offset) => view.getFloat64(offset, true),
	alaw: (view, offset) => alawTable[view.getUint8(offset)] as number,
	mulaw: (view, offset) => mulawTable[view.getUint8(offset)] as number,
};

/** ITU-T G.711: 13-bit values, scaled to the full range. */
const alawTable = Float32Array.from({ length: 256 }, (_, code) => {
	const bits = code ^ 0x55; // even bits are inverted on the line
	const exponent = (bits >> 4) & 7;
	const mantissa = bits & 15;
	const magnitude =
		exponent === 0
			? (mantissa << 4) + 8
			: ((mantissa << 4) + 0x108) << (exponent - 1);
	return (bits & 0x80 ? magnitude : -magnitude) / 32768;
});

/** ITU-T G.711: 14-bit values, scaled to the full range. */
const mulawTable = Float32Array.from({ length: 256 }, (_, code) => {
	const bits = ~code & 0xff; // all bits are inverted on the line
	const exponent = (bits >> 4) & 7;
	const mantissa = bits & 15;
	const magnitude = (((mantissa << 3) + 0x84) << exponent) - 0x84;
	return (bits & 0x80 ? -magnitude : magnitude) / 32768;
});
