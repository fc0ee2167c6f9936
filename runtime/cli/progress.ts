/** A progress bar on standard error if that is a terminal; else nothing. */
import { Presets, SingleBar } from "cli-progress";

export interface Progress {
	advance(bytes: number): void;
	close(): void;
}

export function openProgress(label: string, bytesTotal: number): Progress {
	if (!process.stderr.isTTY) return { advance() {}, close() {} };
	const bar = new SingleBar(
		{
			format: `${label} {bar} {percentage} % {eta_formatted}`,
			stream: process.stderr,
			clearOnComplete: true,
			hideCursor: true,
		},
		Presets.shades_classic,
	);
	bar.start(bytesTotal, 0);
	return { advance: (bytes) => bar.increment(bytes), close: () => bar.stop() };
}
