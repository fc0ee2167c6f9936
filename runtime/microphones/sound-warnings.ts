/**
 * What a microphone's sound tells about it, in words that say what to do.
 */
import type { CaptureHealth } from "./protocol.js";

/** A muted card; a quiet room is never exactly zero. */
const zeroSecondsMax = 5;
const offsetMax = 0.02;
const clippedShareMax = 0.001;

export function warningsOf({
	zeroSeconds,
	dcOffset,
	clippedShare,
}: CaptureHealth): string[] {
	const warnings: string[] = [];
	if (zeroSeconds > zeroSecondsMax)
		warnings.push(
			"nothing but zeros: it is muted or not connected (alsamixer, F4)",
		);
	if (Math.abs(dcOffset) > offsetMax)
		warnings.push("a constant offset, taken out: a cheap or broken converter");
	if (clippedShare > clippedShareMax)
		warnings.push("too loud, samples are cut off: lower the capture volume");
	return warnings;
}
