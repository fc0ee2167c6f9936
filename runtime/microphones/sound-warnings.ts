/**
 * Warnings about a microphone's audio, with what to do about them.
 */
import type { CaptureHealth } from "./protocol.js";

/** A muted card; a quiet room is never exactly zero. */
const zeroSecondsMax = 5;
const offsetMax = 0.02;
const clippedShareMax = 0.001;

export const soundWarnings = ["only-zeros", "dc-offset", "clipping"] as const;
export type SoundWarning = (typeof soundWarnings)[number];

const sentences: Readonly<Record<SoundWarning, string>> = {
	"only-zeros":
		"only zeros: the microphone is muted or not connected (alsamixer, F4)",
	"dc-offset": "DC offset (removed): a cheap or broken converter",
	clipping: "clipping: lower the capture volume",
};

export function warningsOf({
	zeroSeconds,
	dcOffset,
	clippedShare,
}: CaptureHealth): SoundWarning[] {
	const isTrue: Readonly<Record<SoundWarning, boolean>> = {
		"only-zeros": zeroSeconds > zeroSecondsMax,
		"dc-offset": Math.abs(dcOffset) > offsetMax,
		clipping: clippedShare > clippedShareMax,
	};
	return soundWarnings.filter((it) => isTrue[it]);
}

/** One sentence for people. */
export function warningText(warning: SoundWarning): string {
	return sentences[warning];
}
