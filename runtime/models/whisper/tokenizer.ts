/**
 * Whisper's byte-level BPE. js-tiktoken encodes, with Whisper's ranks; decoding uses a table of each token's bytes, because a token may
 * end inside a character, and a hypothesis must never contain a partial character.
 */
import { Tiktoken } from "js-tiktoken/lite";
import type { TextPiece } from "../writing/transcript.js";

/** GPT-2's split, which Whisper's ranks were learned with. */
const splitPattern =
	"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
const rankLine = /^([A-Za-z0-9+/]*={0,2}) (\d{1,6})$/;

export class WhisperTokenizer {
	readonly #ranks: string;
	/** Bytes of all tokens, concatenated: fifty thousand small arrays would take 23 MB, which every garbage collection scans. */
	readonly #bytes: Uint8Array;
	/** By token, where its bytes begin and end in `#bytes`. */
	readonly #begins: number[] = [];
	readonly #ends: number[] = [];
	#encoder: Tiktoken | undefined;

	/** @param ranks lines of `<base64 bytes> <rank>`. @throws when a line has another form. */
	constructor(ranks: string) {
		this.#ranks = ranks;
		this.#bytes = new Uint8Array(ranks.length); // base64 is longer
		let at = 0;
		for (const line of ranks.split("\n")) {
			if (line.trim() === "") continue;
			const match = rankLine.exec(line.trim());
			if (match === null)
				throw new Error(`tokenizer ranks: not a rank: ${line.slice(0, 40)}`);
			const token = Number(match[2]);
			const bytes = Buffer.from(match[1] as string, "base64");
			this.#begins[token] = at;
			this.#bytes.set(bytes, at);
			at += bytes.length;
			this.#ends[token] = at;
		}
	}

	encode(text: string): number[] {
		this.#encoder ??= new Tiktoken({
			pat_str: splitPattern,
			special_tokens: {},
			bpe_ranks: libraryRanks(this.#ranks),
		});
		return this.#encoder.encode(text, [], []);
	}

	/** Omits special tokens, and a last character whose bytes are incomplete. */
	decode(tokens: readonly number[]): string {
		const parts: Uint8Array[] = [];
		for (const token of tokens) parts.push(this.bytesOf(token));
		const decoder = new TextDecoder("utf-8");
		return decoder.decode(Buffer.concat(parts), { stream: true });
	}

	/** The tokens' text, split wherever a token boundary is also a character boundary. Joined, the pieces are `decode(tokens)`. */
	pieces(tokens: readonly number[]): TextPiece[] {
		const pieces: TextPiece[] = [];
		const decoder = new TextDecoder("utf-8");
		let tokenStart = 0;
		let open = 0; // bytes that the last character still lacks
		let text = "";
		for (let i = 0; i < tokens.length; i++) {
			const bytes = this.bytesOf(tokens[i] as number);
			text += decoder.decode(bytes, { stream: true });
			open = openBytes(bytes, open);
			if (open > 0) continue;
			pieces.push({ text, tokenStart, tokenEnd: i + 1 });
			tokenStart = i + 1;
			text = "";
		}
		if (text !== "") pieces.push({ text, tokenStart, tokenEnd: tokens.length });
		return pieces;
	}

	bytesOf(token: number): Uint8Array {
		return this.#bytes.subarray(
			this.#begins[token] ?? 0,
			this.#ends[token] ?? 0,
		);
	}
}

/** Continuation bytes that the last character of `bytes` still lacks; an invalid sequence counts as complete. */
function openBytes(bytes: Uint8Array, open: number): number {
	for (const byte of bytes) {
		if (byte >= 0xf0) open = 3;
		else if (byte >= 0xe0) open = 2;
		else if (byte >= 0xc0) open = 1;
		else if (byte >= 0x80) open = Math.max(0, open - 1);
		else open = 0;
	}
	return open;
}

/** js-tiktoken's rank format: lines of `! <first rank> <base64> <base64> ...`. */
function libraryRanks(ranks: string): string {
	const tokens: string[] = [];
	for (const line of ranks.split("\n")) {
		const match = rankLine.exec(line.trim());
		// One id in Whisper's file may have no bytes ("="): no text encodes to it.
		if (match === null || match[1] === "=") continue;
		tokens.push(`! ${match[2]} ${match[1]}`);
	}
	return tokens.join("\n");
}
