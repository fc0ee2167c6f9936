/**
 * Converts traditional characters to simplified ones and back, with OpenCC: Whisper writes either. The API promises simplified, and hotwords must match both.
 */
import { Converter as ToTraditional } from "opencc-js/cn2t";
import { Converter as ToSimplified } from "opencc-js/t2cn";

/** Made for the first Chinese text: building its tables is a twentieth of an engine's start. */
let simplifying: ((text: string) => string) | undefined;

function toSimplified(text: string): string {
	const convert = simplifying ?? ToSimplified({ from: "tw", to: "cn" });
	simplifying = convert;
	return convert(text);
}

/**
 * Phrase by phrase (乾 is 干 in 乾燥 but stays in 乾隆), always with as many characters out as in, so that per-character data (times,
 * tokens) stays valid.
 * @returns one character for each one of `characters`, which may hold anything.
 */
export function simplifyCharacters(characters: readonly string[]): string[] {
	const simplified = [...toSimplified(characters.join(""))];
	if (simplified.length === characters.length) return simplified;
	// a phrase whose simplified form has another length: convert character by character
	return characters.map((character) => toSimplified(character));
}

export function simplify(text: string): string {
	return simplifyCharacters([...text]).join("");
}

/** Its tables are 190,000 maps, 54 MB that every garbage collection has to mark: created for the first Chinese word list. */
let toTraditional: ((text: string) => string) | undefined;

/** In Taiwan's standard. */
export function traditional(text: string): string {
	const convert = toTraditional ?? ToTraditional({ from: "cn", to: "tw" });
	toTraditional = convert;
	return convert(text);
}
