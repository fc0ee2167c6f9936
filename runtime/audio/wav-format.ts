/**
 * Parses and checks the `fmt ` chunk of a WAV. Sizes are little-endian; contradicting fields are resolved as players do.
 */
import { CodedError } from "../errors.js";
import { bytesPerSample, type SampleCodec } from "./sample-codec.js";
import { rateHzMax, rateHzMin } from "./sample-rate.js";

export interface WavFormat {
	/** `other`: a compressed coding that an external decoder may support. */
	readonly codec: SampleCodec | "other";
	/** WAVE_FORMAT tag, for messages. */
	readonly tag: number;
	readonly channels: number;
	readonly sampleRateHz: number;
}

/** Tag, channels, rate, byte rate, block align, bits. */
export const wavFormatBytesMin = 16;
/** The same with the extension, which has the real tag. */
export const wavFormatBytesMax = 40;

const channelsMax = 64;

const tags = {
	pcm: 0x0001,
	float: 0x0003,
	alaw: 0x0006,
	mulaw: 0x0007,
	extensible: 0xfffe,
} as const;

/** @param body at least `wavFormatBytesMin` bytes. @throws CodedError 200006 */
export function parseWavFormat(body: Uint8Array): WavFormat {
	const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
	const tag = realTag(view);
	const channels = view.getUint16(2, true);
	const sampleRateHz = view.getUint32(4, true);
	if (channels < 1 || channels > channelsMax)
		throw bad(`${channels} channels (1 to ${channelsMax} are possible)`);
	if (sampleRateHz < rateHzMin || sampleRateHz > rateHzMax)
		throw bad(
			`a sample rate of ${sampleRateHz} Hz (${rateHzMin} to ${rateHzMax} are possible)`,
		);
	const codec = codecOf(tag, containerBits(view, channels));
	return { codec, tag, channels, sampleRateHz };
}

function realTag(view: DataView): number {
	const tag = view.getUint16(0, true);
	if (tag !== tags.extensible) return tag;
	// the sub-format's GUID begins with the tag
	if (view.byteLength < 26)
		throw bad("an extensible fmt chunk that is truncated");
	return view.getUint16(24, true);
}

/** Bits that a sample occupies: 20-bit audio is stored in 24 bits, which follows from the block alignment. */
function containerBits(view: DataView, channels: number): number {
	const bits = view.getUint16(14, true);
	const blockBytes = view.getUint16(12, true);
	const whole = Math.ceil(bits / 8) * 8;
	const aligned = (blockBytes / channels) * 8;
	return Number.isInteger(aligned) && aligned >= whole && aligned <= 64
		? aligned
		: whole;
}

function codecOf(tag: number, bits: number): SampleCodec | "other" {
	const codec = codecs[tag]?.find((it) => bytesPerSample[it] * 8 === bits);
	if (codec) return codec;
	if (codecs[tag]) throw bad(`samples of ${bits} bits`);
	return "other";
}

const codecs: Readonly<Record<number, readonly SampleCodec[]>> = {
	[tags.pcm]: ["u8", "s16", "s24", "s32"],
	[tags.float]: ["f32", "f64"],
	[tags.alaw]: ["alaw"],
	[tags.mulaw]: ["mulaw"],
};

function bad(what: string): CodedError {
	return new CodedError("200006", `WAV header declares ${what}`);
}
