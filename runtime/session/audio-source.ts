/**
 * Samples without a header, as endpoints with a vocabulary of their own describe them.
 */
import type { RawFormat } from "../audio/container.js";
import { codecOf, rawChannelsMax } from "../audio/container.js";
import { bytesPerSample } from "../audio/sample-codec.js";
import { rateHzMax, rateHzMin } from "../audio/sample-rate.js";
import { CodedError } from "../errors.js";
import { shown } from "../json/expectation.js";
import type { RecognitionOptions } from "./options.js";

export const rawEncodings = ["pcm_s16le", "mulaw", "alaw"] as const;

export interface RawAudio {
	/** `pcm_s16le` with another width: unsigned 8 bits or signed 32 bits. */
	readonly encoding: (typeof rawEncodings)[number];
	/** 4000 to 384000. */
	readonly rateHz: number;
	/** Bytes of a sample. */
	readonly width: 1 | 2 | 4;
	/** Interleaved, 1 to 8. */
	readonly channels: number;
	/** Each channel is a recognition of its own; otherwise they are averaged. */
	readonly apart: boolean;
}

/** As a client sent it; only the rate is required. */
export interface GivenRawAudio {
	readonly encoding?: unknown;
	readonly rate: unknown;
	/** Default: 2 of PCM, 1 of G.711. */
	readonly width?: unknown;
	readonly channels?: unknown;
	readonly apart?: boolean;
}

/** @throws CodedError 200002 that names the field. */
export function rawAudio(given: GivenRawAudio): RawAudio {
	const { encoding = "pcm_s16le", apart = false } = given;
	const named = rawEncodings.find((it) => it === encoding);
	if (!named)
		throw wrong("encoding", `one of ${rawEncodings.join(", ")}`, encoding);
	const { width = named === "pcm_s16le" ? 2 : 1, channels = 1 } = given;
	if (!isWithin(given.rate, rateHzMin, rateHzMax))
		throw wrong(
			"rate",
			`an integer from ${rateHzMin} to ${rateHzMax}`,
			given.rate,
		);
	const widths = named === "pcm_s16le" ? [1, 2, 4] : [1];
	if (!widths.includes(width as number))
		throw wrong(
			"width",
			`one of ${widths.join(", ")} (bytes of a sample)`,
			width,
		);
	const channelsMax = apart ? 2 : rawChannelsMax;
	if (!isWithin(channels, 1, channelsMax))
		throw wrong("channels", `an integer from 1 to ${channelsMax}`, channels);
	return {
		encoding: named,
		rateHz: given.rate,
		width: width as RawAudio["width"],
		channels,
		apart: apart && channels === 2,
	};
}

type SourceOptions = Pick<
	RecognitionOptions,
	"sampleRateHz" | "rawChannels"
> & {
	readonly format: RawFormat;
};

/** What one recognition of it is told about its audio; of channels that are told apart, the recognition of one. */
export function formatOf(source: RawAudio): SourceOptions {
	return {
		format: rawFormatOf(source),
		sampleRateHz: source.rateHz,
		...(source.channels > 1 &&
			!source.apart && { rawChannels: source.channels }),
	};
}

/** Seconds of audio in so many bytes. */
export function secondsOf(source: RawAudio, bytes: number): number {
	const width = bytesPerSample[codecOf(rawFormatOf(source))];
	return bytes / (width * source.channels * source.rateHz);
}

function rawFormatOf({ encoding, width }: RawAudio): RawFormat {
	if (encoding !== "pcm_s16le" || width === 2) return encoding;
	return width === 1 ? "pcm_u8" : "pcm_s32le";
}

function isWithin(value: unknown, min: number, max: number): value is number {
	return (
		Number.isInteger(value) &&
		(value as number) >= min &&
		(value as number) <= max
	);
}

function wrong(name: string, expected: string, given: unknown): CodedError {
	return new CodedError(
		"200002",
		`${name} must be ${expected}, got ${shown(given)}`,
	);
}
