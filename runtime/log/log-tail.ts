/** The last lines of the log, in memory, for whoever looks at the device from afar. They hold no texts and no tokens, since the log holds none. */

export interface TailLine {
	/** Counts from 1 since the start. */
	readonly number: number;
	/** JSON. */
	readonly line: string;
}

const linesMax = 2000;
const lineCharactersMax = 4000;

export class LogTail {
	readonly #lines: TailLine[] = [];
	#last = 0;

	add(line: string): void {
		this.#lines.push({
			number: ++this.#last,
			line: line.trimEnd().slice(0, lineCharactersMax),
		});
		if (this.#lines.length > linesMax) this.#lines.shift();
	}

	/** Oldest first. */
	after(number: number): readonly TailLine[] {
		const first = this.#lines[0]?.number ?? 1;
		return this.#lines.slice(Math.max(0, number + 1 - first));
	}
}
