/**
 * The formats of audio: the labels that a client may give it, and what each stands for. The actual bytes take precedence over the label.
 */

import { lowerCaseOf } from "../text/lower-case.js";
import type { Container } from "./decoder-port.js";
import type { SampleCodec } from "./sample-codec.js";

/**
 * Samples without a header, interleaved where there is more than one channel, and how each is coded. `pcm` is the interface's own name for `pcm_s16le`,
 * whose rate follows from `field`. Widths as WAV has them: 8 bits are unsigned.
 */
const rawCodecs = {
	pcm: "s16",
	pcm_s16le: "s16",
	mulaw: "mulaw",
	alaw: "alaw",
	pcm_u8: "u8",
	pcm_s32le: "s32",
} as const satisfies Readonly<Record<string, SampleCodec>>;

/** Interleaved channels of raw audio: more is a wrong number, not a microphone array. */
export const rawChannelsMax = 8;

export type RawFormat = keyof typeof rawCodecs;

/** `format` values of requests (docs/interface.md section 2.3); all but the raw ones carry their own header. */
export const requestFormats = [
	"pcm",
	"wav",
	"opus",
	"mp3",
	"aac",
	"amr",
	"m4a",
	"mp4",
	"3gp",
	"flac",
	"ogg",
	"webm",
	"pcm_s16le",
	"mulaw",
	"alaw",
] as const;

export type RequestFormat = (typeof requestFormats)[number];

/** Those that endpoints with other vocabularies ask for, too. `auto`: no label, a container whose bytes alone decide. */
export const audioFormats = [
	...requestFormats,
	"pcm_u8",
	"pcm_s32le",
	"auto",
] as const;

export type AudioFormat = (typeof audioFormats)[number];

/** Other names of the same formats, as files and media types end. */
const aliases: Readonly<Record<string, RequestFormat>> = {
	mpga: "mp3",
	mpeg: "mp3",
	oga: "ogg",
};

export const formatAliases: readonly string[] = Object.keys(aliases);

/** @param name in any case. @returns the format's own name; an unknown name as it is, in lower case. */
export function formatNamed(name: string): string {
	const lower = lowerCaseOf(name);
	return Object.hasOwn(aliases, lower) ? (aliases[lower] as string) : lower;
}

export function isRaw(format: AudioFormat | Container): format is RawFormat {
	return Object.hasOwn(rawCodecs, format);
}

export function codecOf(format: RawFormat): SampleCodec {
	return rawCodecs[format];
}

/** What the bytes should be by their label. */
export function containerOf(
	format: AudioFormat,
): Container | RawFormat | "any" {
	switch (format) {
		case "auto":
			return "any";
		case "opus":
			return "ogg";
		case "m4a":
		case "mp4":
		case "3gp":
			return "mp4";
		default:
			return format;
	}
}
