/**
 * Deinterleaves frames of a sound card: one array of floats per microphone.
 */
import { type SampleReader, sampleReaders } from "../sample-codec.js";

/** Sample formats of sound cards, by ALSA's names. S24_LE has its 24 bits in the lower three of four bytes, S24_3LE in three. */
export const sampleFormats = [
	"S16_LE",
	"S32_LE",
	"S24_LE",
	"S24_3LE",
	"FLOAT_LE",
] as const;

export type SampleFormat = (typeof sampleFormats)[number];

const { s16, s24, s32, f32 } = sampleReaders;

const formats: Readonly<
	Record<SampleFormat, { readonly bytes: number; readonly read: SampleReader }>
> = {
	S16_LE: { bytes: 2, read: s16 },
	S24_3LE: { bytes: 3, read: s24 },
	// the highest byte is ignored
	S24_LE: {
		bytes: 4,
		read: (view, at) => ((view.getInt32(at, true) << 8) >> 8) / 8388608,
	},
	S32_LE: { bytes: 4, read: s32 },
	FLOAT_LE: {
		bytes: 4,
		read: (view, at) => {
			const sample = f32(view, at);
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
