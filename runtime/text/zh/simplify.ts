/**
 * Traditional characters to simplified ones and back, by OpenCC: Whisper writes either. Our API promises simplified, and a hotword must be known in both.
 */
import { Converter as ToTraditional } from "opencc-js/cn2t";
import { Converter as ToSimplified } from "opencc-js/t2cn";

const toSimplified = ToSimplified({ from: "tw", to: "cn" });

/**
 * Phrase by phrase (乾 is 干 in 乾燥 but stays in 乾隆), and always as many characters out as went in, so that what is known of a character (its time, its
 * tokens) stays known.
 * @returns one character for each one of `characters`, which may hold anything.
 */
export function simplifyCharacters(characters: readonly string[]): string[] {
	const simplified = [...toSimplified(characters.join(""))];
	if (simplified.length === characters.length) return simplified;
	// A phrase whose simplified form is shorter or longer: character by character then.
	return characters.map((character) => toSimplified(character));
}

export function simplify(text: string): string {
	return simplifyCharacters([...text]).join("");
}

/** Its tables are 190,000 maps, 54 MB that every collection of garbage looks through: made for the first Chinese list of words. */
let toTraditional: ((text: string) => string) | undefined;

/** As Taiwan writes. */
export function traditional(text: string): string {
	const convert = toTraditional ?? ToTraditional({ from: "cn", to: "tw" });
	toTraditional = convert;
	return convert(text);
}
