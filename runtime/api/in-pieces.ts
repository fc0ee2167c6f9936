/**
 * Joins many small texts into few larger ones and yields to the event loop in between: hours of transcript or megabytes of words must not block it, and
 * neither must many clients that fetch them: all pieces together get one slice of each turn of the loop.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { sliceMs } from "../event-loop/slices.js";

const pieceCharacters = 32 * 1024;

/** Makes the pieces of all answers: one in each turn of the event loop, in the order of the requests. */
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
			// a short piece that took long waits for more: sending scraps would not serve its client sooner
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

/** The items of a JSON array, with their commas. */
export function* jsonItems<Item>(
	items: Iterable<Item>,
	shown: (item: Item) => object,
): Generator<string> {
	let comma = "";
	for (const item of items) {
		yield comma + JSON.stringify(shown(item));
		comma = ",";
	}
}

export function* joined(
	before: string,
	texts: Iterable<string>,
	after: () => string,
): Generator<string> {
	yield before;
	yield* texts;
	yield after();
}
