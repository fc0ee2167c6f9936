/** Many small texts as few larger ones, with a turn for everybody else in between: hours of transcript must not hold the event loop. */
import { setImmediate as nextTurn } from "node:timers/promises";

const pieceCharacters = 32 * 1024;
const sliceMs = 3;

export async function* inPieces(
	texts: Iterable<string>,
): AsyncGenerator<string> {
	let piece = "";
	let sinceMs = performance.now();
	for (const text of texts) {
		piece += text;
		if (piece.length < pieceCharacters && performance.now() - sinceMs < sliceMs)
			continue;
		yield piece;
		piece = "";
		await nextTurn();
		sinceMs = performance.now();
	}
	if (piece !== "") yield piece;
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
