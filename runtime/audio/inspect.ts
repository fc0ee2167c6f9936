/**
 * Determines a file's actual format, channels and length before it is transcribed. WAV and raw PCM are inspected here, other containers by the probe.
 */

import { CodedError } from "../errors.js";
import {
	type AudioFormat,
	codecOf,
	isRaw,
	type RawFormat,
} from "./container.js";
import type { Container } from "./decoder-port.js";
import { identify } from "./identify.js";
import type { ContainerFacts } from "./probe-port.js";
import { bytesPerSample } from "./sample-codec.js";
import { oggCodecOf, sniffBytesMax } from "./sniff.js";
import { type SeekableBytes, wavExtent } from "./wav-extent.js";

export interface InspectOptions {
	/** The client's label. */
	readonly format: AudioFormat;
	/** Sample rate of raw audio. */
	readonly sampleRateHz: number;
	readonly channels: 1 | 2;
}

export interface AudioFacts extends ContainerFacts {
	/** Actual format of the bytes, which may differ from the label. */
	readonly format: AudioFormat;
}

/** @param probe of the same file. @throws CodedError 200006, 200007 */
export async function inspect(
	file: SeekableBytes,
	options: InspectOptions,
	probe: (container: Container) => Promise<ContainerFacts>,
): Promise<AudioFacts> {
	if (file.bytes === 0) throw new CodedError("200007");
	const head = await file.read(0, sniffBytesMax);
	const found = identify(options.format, head, head.length === file.bytes);
	// more bytes would not help: identify has the maximum
	if (found === undefined)
		throw new CodedError(
			"200006",
			`audio does not match format: the bytes are not ${options.format}`,
		);
	const facts = await factsOf(file, options, found, probe);
	if (facts.audioMs === 0) throw new CodedError("200007");
	return { ...facts, format: formatOf(found, options.format, head) };
}

async function factsOf(
	file: SeekableBytes,
	{ sampleRateHz, channels }: InspectOptions,
	found: Container | RawFormat,
	probe: (container: Container) => Promise<ContainerFacts>,
): Promise<ContainerFacts> {
	if (isRaw(found)) {
		const frameBytes = bytesPerSample[codecOf(found)] * channels;
		const frames = Math.floor(file.bytes / frameBytes);
		return pcmFacts(frames, sampleRateHz, channels);
	}
	if (found !== "wav") return probe(found);
	const { format, frames } = await wavExtent(file);
	return format.codec === "other"
		? probe("wav")
		: pcmFacts(frames, format.sampleRateHz, format.channels);
}

function pcmFacts(
	frames: number,
	rateHz: number,
	channels: number,
): ContainerFacts {
	// rounded up, so that less than a millisecond does not count as empty
	const audioMs = Math.ceil((frames * 1000) / rateHz);
	return { channels, audioMs, hasVideo: false };
}

/** Ogg is called after its codec where it is Opus. Within the MP4 family the label chooses the name, unless the file's brand is 3GP. */
function formatOf(
	found: Container | RawFormat,
	label: AudioFormat,
	head: Uint8Array,
): AudioFormat {
	if (isRaw(found)) return found;
	if (found === "ogg") return oggCodecOf(head) === "Opus" ? "opus" : "ogg";
	if (found !== "mp4") return found;
	const brand = String.fromCharCode(...head.subarray(8, 11));
	if (/^3g/.test(brand)) return "3gp";
	return label === "m4a" ? "m4a" : "mp4";
}
