/** The text of tokens that may end inside a character, in the smallest pieces that are whole. */
import type { TextPiece } from "./transcript.js";
import { continuesCharacter, openBytes, wholeText } from "./utf8.js";

const nothing = new Uint8Array(0);

/**
 * Splits wherever a token and a character both end. Only the bytes of incomplete characters are omitted, wherever they are: a search may follow the
 * beginning of one with something else. Tokens that have nothing but such bytes are in no piece.
 * @param tokens the bytes of each.
 */
export function textPieces(tokens: Iterable<Uint8Array>): TextPiece[] {
	const pieces: TextPiece[] = [];
	let tokenStart = 0;
	let tokenEnd = 0;
	let bytes: Uint8Array = nothing; // since `tokenStart`
	let open = 0; // bytes that their last character still lacks
	const end = () => {
		const text = wholeText(bytes);
		if (text !== "") pieces.push({ text, tokenStart, tokenEnd });
		tokenStart = tokenEnd;
		bytes = nothing;
		open = 0;
	};
	for (const next of tokens) {
		// what comes now is whole without it
		if (open > 0 && next.length > 0 && !continuesCharacter(next)) end();
		tokenEnd++;
		bytes = bytes.length === 0 ? next : Buffer.concat([bytes, next]);
		if (open > 0 && next.length === 0) continue;
		open = openBytes(next, open);
		if (open === 0) end();
	}
	if (open > 0) end();
	return pieces;
}
