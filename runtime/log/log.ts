/**
 * The one logger: JSON lines on standard output for journald and collectors, formatted lines on a terminal. Transcripts, audio, tokens, query strings and
 * bodies are never passed to it, so they need no redaction. Ids may be part of fields and of other programs' messages, and are shortened on output.
 */
import { Writable } from "node:stream";
import {
	type DestinationStream,
	type Logger as PinoLogger,
	pino,
	symbols,
} from "pino";
import pretty from "pino-pretty";
import { journalPrefix, leadsToJournal } from "./journal.js";
import type { LogTail } from "./log-tail.js";
import { withShortIds } from "./short-ids.js";

export type Logger = PinoLogger;

export interface LogOptions {
	readonly level: string;
	readonly pretty: "auto" | "yes" | "no";
}

/** @param tail keeps the last lines. */
export function createLogger(options: LogOptions, tail?: LogTail): Logger {
	const forPeople =
		options.pretty === "yes" ||
		(options.pretty === "auto" && process.stdout.isTTY === true);
	// a stream in this process: pino's worker transports do not run inside a single executable
	const lines = forPeople
		? pretty({
				ignore: "pid",
				translateTime: "SYS:HH:MM:ss.l",
				colorize: process.stdout.isTTY === true,
				destination: withoutErrors(standardOutput()),
			})
		: linesOnStandardOutput();
	return loggerTo(lines, options.level, tail);
}

/** Writes lines of JSON to any stream. */
export function loggerTo(
	lines: DestinationStream,
	level: string,
	tail?: LogTail,
): Logger {
	const settings = {
		level,
		base: { pid: process.pid },
		timestamp: pino.stdTimeFunctions.isoTime,
		formatters: { level: (label: string) => ({ level: label }) },
		hooks: {
			streamWrite: (line: string) => {
				const safe = withShortIds(line);
				tail?.add(safe);
				return safe;
			},
		},
	};
	return pino(settings, lines);
}

function linesOnStandardOutput() {
	const out = standardOutput();
	return leadsToJournal(1) ? new JournalLines(out) : out;
}

/** What can't be written (a full disk) is kept and tried again with the next line; beyond this, further lines are dropped. */
const unwrittenBytesMax = 1e6;

/** A log that can't be written does not end the appliance: its health check and its metrics report the disk. */
function standardOutput() {
	const out = pino.destination({
		dest: 1,
		sync: true,
		maxLength: unwrittenBytesMax,
	});
	out.on("error", () => {});
	out.on("drop", () => out.write("")); // a full buffer takes no line that would try again
	out.flushSync = () => {}; // it repeats until there is room: a fatal error would never end the process
	return out;
}

/** An error would end the pipe that formats the lines, and all further ones with it. */
function withoutErrors(out: DestinationStream): Writable {
	return new Writable({
		write: (lines, _encoding, done) => {
			out.write(String(lines));
			done();
		},
	});
}

/** pino reports the level of each line to a stream with this symbol. */
class JournalLines {
	readonly [symbols.needsMetadataGsym] = true;
	readonly #out: DestinationStream;
	/** Set by pino to its level number. */
	lastLevel = 30;

	constructor(out: DestinationStream) {
		this.#out = out;
	}

	write(line: string): void {
		const level = pino.levels.labels[this.lastLevel] ?? "info";
		this.#out.write(`${journalPrefix(level)}${line}`);
	}
}
