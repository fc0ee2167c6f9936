/**
 * Lines for systemd's journal: `<N>` in front says how grave a line is (sd-daemon(3)), so that `journalctl -p warning` finds what it should. Only where our
 * stream really leads there: `JOURNAL_STREAM` names the one that does, and a child whose output was led elsewhere inherits the variable (systemd.exec(5)).
 */
import { fstatSync } from "node:fs";

/** Standard output and standard error. */
export type OutputStream = 1 | 2;

const gravityOf: Readonly<Record<string, number>> = {
	fatal: 2,
	error: 3,
	warn: 4,
	info: 6,
	debug: 7,
	trace: 7,
};

export function leadsToJournal(
	stream: OutputStream,
	environment: NodeJS.ProcessEnv = process.env,
): boolean {
	const named = environment.JOURNAL_STREAM;
	if (!named) return false;
	try {
		const { dev, ino } = fstatSync(stream, { bigint: true });
		return named === `${dev}:${ino}`;
	} catch {
		return false; // it is closed
	}
}

/** @param level by pino's name. */
export function journalPrefix(level: string): string {
	return `<${gravityOf[level] ?? gravityOf.info}>`;
}
