/**
 * Texts as tokens that differ from those of Whisper's own text only where the texts differ. Whisper writes simplified or traditional characters, and not always
 * with the tokens that an encoder would choose: without this, other texts would lose only because of their characters' form. It is also faster than encoding
 * each text as a whole.
 */
import { simplifyCharacters, traditional } from "../../text/zh/simplify.js";
import type { TextPiece } from "../writing/transcript.js";
import { commonPairs } from "./text-windows.js";
import type { WhisperTokenizer } from "./tokenizer.js";

/** A piece of Whisper's text, and its place among the simplified characters. */
interface OwnPiece extends TextPiece {
	readonly first: number;
	readonly length: number;
}

export class OwnSpelling {
	readonly #tokenizer: WhisperTokenizer;
	readonly #tokens: readonly number[];
	readonly #pieces: readonly OwnPiece[];
	readonly #characters: readonly string[];
	readonly #inTraditional: boolean;
	readonly #encoded = new Map<string, readonly number[]>();

	/**
	 * @param tokens of Whisper's text.
	 * @param inTraditional new characters are written in traditional ones.
	 */
	constructor(
		tokenizer: WhisperTokenizer,
		tokens: readonly number[],
		inTraditional = false,
	) {
		this.#tokenizer = tokenizer;
		this.#tokens = tokens;
		let first = 0;
		this.#pieces = tokenizer.pieces(tokens).map((piece) => {
			const { length } = [...piece.text];
			first += length;
			return { ...piece, first: first - length, length };
		});
		const written = this.#pieces.flatMap(({ text }) => [...text]);
		this.#characters = simplifyCharacters(written);
		this.#inTraditional = inTraditional;
	}

	encode(text: string): readonly number[] {
		const characters = [...text];
		/** By piece: where it is in the text. */
		const places = this.#placesIn(characters);
		const tokens: number[] = [];
		let at = 0;
		let before: OwnPiece | undefined;
		for (const [i, piece] of this.#pieces.entries()) {
			const place = places[i];
			if (place === undefined) continue;
			const between = characters.slice(at, place).join("");
			if (between === "") tokens.push(...this.#tokensOf(piece));
			else this.#write(tokens, before, between, piece);
			before = between === "" ? piece : undefined;
			at = place + piece.length;
		}
		const rest = characters.slice(at).join("");
		if (rest !== "") this.#write(tokens, before, rest, undefined);
		return tokens;
	}

	/** Other characters between two pieces; encoded with these, because tokens may span several characters. */
	#write(
		tokens: number[],
		before: OwnPiece | undefined,
		between: string,
		after: OwnPiece | undefined,
	): void {
		if (before) tokens.length -= before.tokenEnd - before.tokenStart;
		const text = `${before?.text ?? ""}${between}${after?.text ?? ""}`;
		const known = this.#encoded.get(text) ?? this.#encodeNew(text);
		this.#encoded.set(text, known);
		tokens.push(...known);
	}

	#encodeNew(text: string): readonly number[] {
		return this.#tokenizer.encode(
			this.#inTraditional ? traditional(text) : text,
		);
	}

	#tokensOf({ tokenStart, tokenEnd }: OwnPiece): readonly number[] {
		return this.#tokens.slice(tokenStart, tokenEnd);
	}

	/** Where each piece occurs in the text as a whole. */
	#placesIn(characters: readonly string[]): (number | undefined)[] {
		const placeOf = new Map<number, number>();
		for (const [i, own] of commonPairs(characters, this.#characters))
			placeOf.set(own, i);
		return this.#pieces.map(({ first, length }) => {
			const place = placeOf.get(first);
			if (place === undefined) return undefined;
			for (let i = 1; i < length; i++)
				if (placeOf.get(first + i) !== place + i) return undefined;
			return place;
		});
	}
}

/** Whether a text has more characters that are only traditional than such that are only simplified; most are both. */
export function isTraditional(characters: readonly string[]): boolean {
	const differences = (others: readonly string[]) =>
		characters.filter((it, i) => it !== others[i]).length;
	const text = characters.join("");
	const traditionalOnly = differences(simplifyCharacters(characters));
	return (
		traditionalOnly > 0 && traditionalOnly > differences([...traditional(text)])
	);
}
