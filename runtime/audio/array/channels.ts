/**
 * Deinterleaves frames of a sound card: one array of floats per microphone.
 */

/** Sample formats of sound cards, by ALSA's names. S24_LE has its 24 bits in the lower three of four bytes, S24_3LE in three. */
export const sampleFormats = [
	"S16_LE",
	"S32_LE",
	"S24_LE",
	"S24_3LE",
	"FLOAT_LE",
] as const;

export type SampleFormat = (typeof sampleFormats)[number];

type Reader = (view: DataView, offset: number) => number;

const formats: Readonly<
	Record<SampleFormat, { readonly bytes: number; readonly read: Reader }>
> = {
	S16_LE: { bytes: 2, read: (view, at) => view.getInt16(at, true) / 32768 },
	S24_3LE: {
		bytes: 3,
		read: (view, at) =>
			(view.getUint16(at, true) + view.getInt8(at + 2) * 65536) / 8388608,
	},
	// the highest byte is ignored
	S24_LE: {
		bytes: 4,
		read: (view, at) => ((view.getInt32(at, true) << 8) >> 8) / 8388608,
	},
	S32_LE: {
		bytes: 4,
		read: (view, at) => view.getInt32(at, true) / 2147483648,
	},
	FLOAT_LE: {
		bytes: 4,
		read: (view, at) => {
			const sample = view.getFloat32(at, true);
			// a NaN from a driver must not reach filters with state
			return Number.isFinite(sample) ? sample : 0;
		},
	},
};

/**
 * @param bytes whole frames; an incomplete last one is ignored.
 * @param channels per frame.
 * @param wanted indices of the channels to return, in this order.
 */
export function splitChannels(
	bytes: Uint8Array,
	format: SampleFormat,
	channels: number,
	wanted: readonly number[],
): Float32Array[] {
	const { bytes: width, read } = formats[format];
	const frameBytes = width * channels;
	const frames = Math.floor(bytes.length / frameBytes);
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return wanted.map((channel) => {
		const samples = new Float32Array(frames);
		let offset = channel * width;
		for (let frame = 0; frame < frames; frame++, offset += frameBytes)
			samples[frame] = read(view, offset);
		return samples;
	});
}
