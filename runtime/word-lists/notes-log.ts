import type { LogPort } from "../log/log-port.js";

/** Logs what a recognition does without: each note once, not for every recognition. */
export class NotesLog {
	readonly #log: Pick<LogPort, "warn">;
	readonly #logged = new Set<string>();

	constructor(log: Pick<LogPort, "warn">) {
		this.#log = log;
	}

	add(notes: readonly string[]): void {
		for (const note of notes) {
			if (this.#logged.has(note)) continue;
			this.#logged.add(note);
			this.#log.warn({}, note);
		}
	}
}
