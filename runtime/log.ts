/**
 * The one logger: JSON lines on standard output for journald and collectors, lines for people on a terminal. Transcripts, audio, tokens, query strings
 * and bodies are never handed to it: what is not there needs no redaction.
 */
import { type Logger as PinoLogger, pino, symbols } from "pino";
import pretty from "pino-pretty";
import { journalPrefix, leadsToJournal } from "./journal.js";

export type Logger = PinoLogger;

export interface LogOptions {
	readonly level: string;
	readonly pretty: "auto" | "yes" | "no";
}

export function createLogger(options: LogOptions): Logger {
	const forPeople =
		options.pretty === "yes" ||
		(options.pretty === "auto" && process.stdout.isTTY === true);
	const settings = {
		level: options.level,
		base: { pid: process.pid },
		timestamp: pino.stdTimeFunctions.isoTime,
		formatters: { level: (label: string) => ({ level: label }) },
	};
	// a stream in this process: pino's worker transports do not run inside a single executable
	return forPeople
		? pino(
				settings,
				pretty({
					ignore: "pid",
					translateTime: "SYS:HH:MM:ss.l",
					colorize: process.stdout.isTTY === true,
					sync: true,
				}),
			)
		: pino(settings, linesOnStandardOutput());
}

function linesOnStandardOutput() {
	const out = pino.destination({ dest: 1, sync: true });
	return leadsToJournal(1) ? new JournalLines(out) : out;
}

/** pino tells a stream with this symbol how grave each line is. */
class JournalLines {
	readonly [symbols.needsMetadataGsym] = true;
	readonly #out: pino.DestinationStream;
	/** A number of pino's; it sets it. */
	lastLevel = 30;

	constructor(out: pino.DestinationStream) {
		this.#out = out;
	}

	write(line: string): void {
		const level = pino.levels.labels[this.lastLevel] ?? "info";
		this.#out.write(`${journalPrefix(level)}${line}`);
	}
}
