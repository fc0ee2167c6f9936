/** A progress bar on standard error if that is a terminal; else nothing. */
import { Presets, SingleBar } from "cli-progress";

export interface Progress {
	advance(bytes: number): void;
	close(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function openProgress(label: string, bytesTotal: number): Progress {
	// a terminal that can't rewrite its line is terminfo's "dumb"
	if (!process.stderr.isTTY || process.env.TERM === "dumb")
		return { advance() {}, close() {} };
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
	const close = onceClosed(() => bar.stop());
	return { advance: (bytes) => bar.increment(bytes), close };
}

/** However the process ends: a bar hides the cursor and turns line wrap off, which outlives the program. */
function onceClosed(restore: () => void): () => void {
	const close = () => {
		process.off("exit", close);
		for (const signal of signals) process.off(signal, onSignal);
		restore();
	};
	const onSignal = (signal: NodeJS.Signals) => {
		close();
		// a command that waits for the signal ends by itself
		if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
	};
	process.once("exit", close);
	// first: a listener of the command that is called once is gone by its own call
	for (const signal of signals) process.prependListener(signal, onSignal);
	return close;
}
