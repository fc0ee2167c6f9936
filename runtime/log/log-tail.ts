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
		this.#lines.push({ number: ++this.#last, line: shortened(line.trimEnd()) });
		if (this.#lines.length > linesMax) this.#lines.shift();
	}

	/** Oldest first. */
	after(number: number): readonly TailLine[] {
		const first = this.#lines[0]?.number ?? 1;
		return this.#lines.slice(Math.max(0, number + 1 - first));
	}
}

/** A long line (an error, its causes, and where each was thrown) stays JSON: the texts in it are cut, and at worst only its message is left. */
function shortened(line: string): string {
	if (line.length <= lineCharactersMax) return line;
	const logged: { level?: string; time?: string; msg?: string } =
		JSON.parse(line);
	for (const charactersMax of [2000, 1000, 500, 250, 100]) {
		const cut = JSON.stringify(logged, (_, value: unknown) =>
			typeof value === "string" && value.length > charactersMax
				? `${value.slice(0, charactersMax)}…`
				: value,
		);
		if (cut.length <= lineCharactersMax) return cut;
	}
	const { level, time, msg } = logged;
	return JSON.stringify({ level, time, msg: msg?.slice(0, 100) });
}
