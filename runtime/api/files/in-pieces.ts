/**
 * Many small texts as few larger ones, with a turn for everybody else in between: hours of transcript must not hold the event loop, and neither must many clients
 * that fetch them: all pieces together get one slice of a turn of the loop.
 */
import { setImmediate as nextTurn } from "node:timers/promises";

const pieceCharacters = 32 * 1024;
const sliceMs = 3;

/** Makes pieces for many; one in a turn of the event loop, in the order in which they ask. */
export class PieceMaker {
	#lastTurn: Promise<void> = Promise.resolve();

	async *inPieces(texts: Iterable<string>): AsyncGenerator<string> {
		await this.#turn();
		let sinceMs = performance.now();
		let piece = "";
		for (const text of texts) {
			piece += text;
			const isLong = piece.length >= pieceCharacters;
			if (!isLong && performance.now() - sinceMs < sliceMs) continue;
			// a short piece that took long waits for more: its client is no sooner served by scraps
			if (isLong) {
				yield piece;
				piece = "";
			}
			await this.#turn();
			sinceMs = performance.now();
		}
		if (piece !== "") yield piece;
	}

	#turn(): Promise<void> {
		this.#lastTurn = this.#lastTurn.then(() => nextTurn());
		return this.#lastTurn;
	}
}

export function* joined(
	before: string,
	texts: Iterable<string>,
	behind: () => string,
): Generator<string> {
	yield before;
	yield* texts;
	yield behind();
}
