/**
 * Whisper's byte-level BPE. Decoding works with each token's bytes, because a token may end inside a character, and a hypothesis must never contain a
 * partial character.
 */
import { textPieces } from "../writing/text-pieces.js";
import type { TextPiece } from "../writing/transcript.js";
import { TokenBytes } from "./token-bytes.js";

/** GPT-2's split, which Whisper's ranks were learned with. */
const splitPattern =
	/'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

export class WhisperTokenizer {
	readonly #tokens: TokenBytes;

	/** @param ranks lines of `<base64 bytes> <rank>`. @throws when a line has another form. */
	constructor(ranks: string) {
		this.#tokens = new TokenBytes(ranks);
	}

	encode(text: string): number[] {
		const tokens: number[] = [];
		const encoder = new TextEncoder();
		for (const [piece] of text.matchAll(splitPattern))
			this.#encodePiece(encoder.encode(piece), tokens);
		return tokens;
	}

	/** Omits special tokens, and bytes of incomplete characters. */
	decode(tokens: readonly number[]): string {
		return this.pieces(tokens)
			.map(({ text }) => text)
			.join("");
	}

	/** The tokens' text, split wherever a token boundary is also a character boundary. */
	pieces(tokens: readonly number[]): TextPiece[] {
		return textPieces(tokens.map((token) => this.bytesOf(token)));
	}

	bytesOf(token: number): Uint8Array {
		return this.#tokens.bytesOf(token);
	}

	/** Joins the two neighbours that make the lowest rank, the first of equals, until none make a token. Bytes that are no token are left out. */
	#encodePiece(bytes: Uint8Array, into: number[]): void {
		const whole = this.#tokens.tokenOf(bytes, 0, bytes.length);
		if (whole !== undefined) {
			into.push(whole);
			return;
		}
		const ends = Array.from(bytes, (_, i) => i + 1); // of the parts so far
		for (;;) {
			let lowest = Number.POSITIVE_INFINITY;
			let at = -1;
			for (let i = 0; i + 1 < ends.length; i++) {
				const begin = ends[i - 1] ?? 0;
				const rank = this.#tokens.tokenOf(bytes, begin, ends[i + 1] as number);
				if (rank === undefined || rank >= lowest) continue;
				lowest = rank;
				at = i;
			}
			if (at < 0) break;
			ends.splice(at, 1);
		}
		let begin = 0;
		for (const end of ends) {
			const token = this.#tokens.tokenOf(bytes, begin, end);
			if (token !== undefined) into.push(token);
			begin = end;
		}
	}
}
