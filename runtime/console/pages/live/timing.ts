/** How late the text is, measured where it is read: in the browser. Pure: times are milliseconds of any one clock. */

export class Timing {
	/** When the audio of the session's first sample was sent. */
	#startMs: number | undefined;
	#firstSeen = new Set<number>();
	/** From the begin of a sentence's speech to its first text. */
	firstWordMs: number | undefined;
	/** From the end of a sentence's speech to its final text. */
	finalMs: number | undefined;

	/** A frame is sent. @param position of its begin in the session's audio, milliseconds */
	sent(position: number, nowMs: number): void {
		this.#startMs ??= nowMs - position;
	}

	/** @param beginMs of its speech, in the session's audio */
	partial(index: number, beginMs: number, nowMs: number): void {
		if (this.#startMs === undefined || this.#firstSeen.has(index)) return;
		this.#firstSeen.add(index);
		this.firstWordMs = Math.max(0, nowMs - this.#startMs - beginMs);
	}

	/** @param endMs of its last word */
	final(index: number, endMs: number, nowMs: number): void {
		if (this.#startMs === undefined) return;
		this.#firstSeen.add(index);
		this.finalMs = Math.max(0, nowMs - this.#startMs - endMs);
	}
}

/** Leading characters that two successive texts share: they will most likely stay. */
export function stablePart(earlier: string, later: string): string {
	const longest = Math.min(earlier.length, later.length);
	let at = 0;
	while (at < longest && earlier[at] === later[at]) at++;
	return later.slice(0, at);
}
