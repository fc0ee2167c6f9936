/** When audio arrived: how long a client waits for a text counts from the arrival of what was said, not from its place in the recording. */

interface Mark {
	readonly audioMs: number;
	readonly atMs: number;
}

/** Finer times would not change what is measured. */
const betweenMarksMs = 40;
/** Of audio; a sentence that took longer counts from the oldest one. */
const marksMax = 1500;

export class Arrivals {
	readonly #marks: Mark[] = [];

	/** @param audioMs of the session so far. @param nowMs of any monotonic clock. */
	note(audioMs: number, nowMs: number): void {
		const last = this.#marks.at(-1);
		if (last && audioMs - last.audioMs < betweenMarksMs) return;
		this.#marks.push({ audioMs, atMs: nowMs });
		if (this.#marks.length > marksMax) this.#marks.splice(0, marksMax / 2);
	}

	/** @returns when the audio up to here had arrived; undefined where nothing is known. */
	of(audioMs: number): number | undefined {
		let [low, high] = [0, this.#marks.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.#marks[middle] as Mark).audioMs < audioMs) low = middle + 1;
			else high = middle;
		}
		return (this.#marks[low] ?? this.#marks.at(-1))?.atMs;
	}

	/** Everything has been answered. */
	forget(): void {
		this.#marks.length = 0;
	}
}
