/**
 * Traditional characters to simplified ones: Whisper writes either, our API promises simplified. Phrase by phrase (乾 is 干 in 乾燥 but stays in 乾隆), and
 * always as many characters out as went in, so that what is known of a character (its time, its tokens) stays known.
 */
import { Converter } from "opencc-js/t2cn";

const convert = Converter({ from: "tw", to: "cn" });

/** @returns one character for each one of `characters`, which may hold anything. */
export function simplifyCharacters(characters: readonly string[]): string[] {
	const simplified = [...convert(characters.join(""))];
	if (simplified.length === characters.length) return simplified;
	// A phrase whose simplified form is shorter or longer: character by character then.
	return characters.map((character) => convert(character));
}

export function simplify(text: string): string {
	return simplifyCharacters([...text]).join("");
}
