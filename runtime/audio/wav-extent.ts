/**
 * Length of a WAV file by its chunks, without reading the samples. Lengths in the header are limited to the actual bytes, in the same way as in the
 * decoder (wav.ts).
 */
import { CodedError } from "../errors.js";
import {
	chunkHeaderBytes,
	dataBytes,
	ds64Bytes,
	isWave,
	magicBytes,
	padded,
	readChunkHeader,
	readDs64,
} from "./riff.js";
import { bytesPerSample } from "./sample-codec.js";
import {
	parseWavFormat,
	type WavFormat,
	wavFormatBytesMax,
	wavFormatBytesMin,
} from "./wav-format.js";

/** Bytes with random access. */
export interface SeekableBytes {
	readonly bytes: number;
	/** @returns fewer bytes near the end. */
	read(offset: number, length: number): Promise<Uint8Array>;
}

export interface WavExtent {
	readonly format: WavFormat;
	/** Number of complete frames; 0 for codings that are not decoded here. */
	readonly frames: number;
}

/** A recording does not have more chunks than this before its data. */
const chunksMax = 1000;

/** @throws CodedError 200006 */
export async function wavExtent(file: SeekableBytes): Promise<WavExtent> {
	if (!isWave(await file.read(0, magicBytes)))
		throw bad("it has no RIFF/WAVE header");
	let format: WavFormat | undefined;
	let dataBytes64: number | undefined;
	let offset = magicBytes;
	for (let chunk = 0; chunk < chunksMax; chunk++) {
		const header = await file.read(offset, chunkHeaderBytes);
		if (header.length < chunkHeaderBytes)
			throw bad(format ? "it has no data chunk" : "it has no fmt chunk");
		const { id, bytes } = readChunkHeader(header);
		offset += chunkHeaderBytes;
		if (id === "data") {
			if (!format) throw bad("its data comes before its fmt chunk");
			const declared = dataBytes(bytes, dataBytes64);
			return {
				format,
				frames: framesIn(format, Math.min(declared, file.bytes - offset)),
			};
		}
		if (id === "fmt ") format ??= await formatAt(file, offset, bytes);
		if (id === "ds64" && bytes >= ds64Bytes) {
			const body = await file.read(offset, ds64Bytes);
			if (body.length === ds64Bytes) dataBytes64 = readDs64(body);
		}
		offset += padded(bytes);
	}
	throw bad(`none of its first ${chunksMax} chunks is a data chunk`);
}

async function formatAt(
	file: SeekableBytes,
	offset: number,
	bytes: number,
): Promise<WavFormat> {
	const body = await file.read(offset, Math.min(bytes, wavFormatBytesMax));
	if (body.length < wavFormatBytesMin)
		throw bad(`its fmt chunk has ${body.length} bytes`);
	return parseWavFormat(body.slice());
}

function framesIn({ codec, channels }: WavFormat, bytes: number): number {
	if (codec === "other") return 0;
	return Math.floor(bytes / (bytesPerSample[codec] * channels));
}

function bad(why: string): CodedError {
	return new CodedError("200006", `WAV can't be read: ${why}`);
}
