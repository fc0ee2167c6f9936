/**
 * Lines for systemd's journal: a leading `<N>` is the priority of a line (sd-daemon(3)), so that `journalctl -p warning` works. Only where our stream is really
 * connected to the journal: `JOURNAL_STREAM` identifies that stream, and a child whose output was redirected inherits the variable (systemd.exec(5)).
 */
import { fstatSync } from "node:fs";

/** Standard output and standard error. */
export type OutputStream = 1 | 2;

const priorityOf: Readonly<Record<string, number>> = {
	fatal: 2,
	error: 3,
	warn: 4,
	info: 6,
	debug: 7,
	trace: 7,
};

export function leadsToJournal(stream: OutputStream): boolean {
	const named = process.env.JOURNAL_STREAM;
	if (!named) return false;
	try {
		const { dev, ino } = fstatSync(stream, { bigint: true });
		return named === `${dev}:${ino}`;
	} catch {
		return false; // the stream is closed
	}
}

/** @param level pino's name of it. */
export function journalPrefix(level: string): string {
	return `<${priorityOf[level] ?? priorityOf.info}>`;
}
