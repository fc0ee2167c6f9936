/**
 * Warnings about a microphone's audio, with what to do about them.
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
			"only zeros: the microphone is muted or not connected (alsamixer, F4)",
		);
	if (Math.abs(dcOffset) > offsetMax)
		warnings.push("DC offset (removed): a cheap or broken converter");
	if (clippedShare > clippedShareMax)
		warnings.push("clipping: lower the capture volume");
	return warnings;
}
