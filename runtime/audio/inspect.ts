/**
 * What a whole file is, before anybody hears it: its real format, channels and length. WAV and raw PCM are told from their bytes, containers by the probe.
 */

import { CodedError } from "../errors.js";
import type { AudioFormat } from "./container.js";
import type { Container } from "./decoder-port.js";
import { identify } from "./identify.js";
import type { ContainerFacts } from "./probe-port.js";
import type { PcmRateHz } from "./sample-rate.js";
import { sniffBytesMax } from "./sniff.js";
import { type SeekableBytes, wavExtent } from "./wav-extent.js";

export interface InspectOptions {
	/** The client's label. */
	readonly format: AudioFormat;
	/** Of raw PCM. */
	readonly sampleRateHz: PcmRateHz;
	readonly channels: 1 | 2;
}

export interface AudioFacts extends ContainerFacts {
	/** What the bytes are, whatever the label says. */
	readonly format: AudioFormat;
}

/** @param probe of this very file. @throws CodedError 200006, 200007 */
export async function inspect(
	file: SeekableBytes,
	options: InspectOptions,
	probe: (container: Container) => Promise<ContainerFacts>,
): Promise<AudioFacts> {
	if (file.bytes === 0) throw new CodedError("200007");
	const head = await file.read(0, sniffBytesMax);
	const found = identify(options.format, head, head.length === file.bytes);
	// so much of a file tells, or nothing does
	if (found === undefined)
		throw new CodedError(
			"200006",
			`audio is not what format says: the bytes are no ${options.format}`,
		);
	const facts = await factsOf(file, options, found, probe);
	if (facts.audioMs === 0) throw new CodedError("200007");
	return { ...facts, format: formatOf(found, options.format, head) };
}

async function factsOf(
	file: SeekableBytes,
	{ sampleRateHz, channels }: InspectOptions,
	found: Container | "pcm",
	probe: (container: Container) => Promise<ContainerFacts>,
): Promise<ContainerFacts> {
	if (found === "pcm") {
		const frames = Math.floor(file.bytes / (2 * channels));
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
	// less than a millisecond is something, too
	const audioMs = Math.ceil((frames * 1000) / rateHz);
	return { channels, audioMs, hasVideo: false };
}

/** Of the family of MP4 the label may choose a name, unless the file's own brand says 3GP. */
function formatOf(
	found: Container | "pcm",
	label: AudioFormat,
	head: Uint8Array,
): AudioFormat {
	if (found !== "mp4") return found;
	const brand = String.fromCharCode(...head.subarray(8, 11));
	if (/^3g/.test(brand)) return "3gp";
	return label === "m4a" ? "m4a" : "mp4";
}
