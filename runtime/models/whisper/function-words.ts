/**
 * English words that carry grammar and hardly any sense: articles, pronouns, forms of be, have and do, modal verbs, prepositions, conjunctions. They are in nearly
 * every sentence, so letters alone do not tell them from a name or an abbreviation (it and IT, there's a and Theresa).
 */
const functionWords = new Set(
	`a an the this that these those
	i me my mine you your yours he him his she her hers it its we us our ours they them their theirs
	who whom whose which what where when why how
	am is are was were be been being have has had do does did
	will would shall should can could may might must ought let
	of to in on at by for from with into upon up down off over out as than so if or and but nor because while
	no not yes there here then now all any some each both too very just`.split(
		/\s+/,
	),
);
/** `can't`, `won't`, `shan't`. */
const shortened = new Set(["ca", "wo", "sha"]);
const contraction = /^(\p{L}+?)(n['’]t|['’](?:s|d|m|ll|re|ve|t))$/u;

/** @param span words of a text, separated by spaces or hyphens. */
export function isOnlyFunctionWords(span: string): boolean {
	return span
		.toLowerCase()
		.split(/[\s-]+/)
		.every((word) => {
			const [, host = word, ending = ""] = contraction.exec(word) ?? [];
			return (
				functionWords.has(host) ||
				(ending.startsWith("n") && shortened.has(host))
			);
		});
}
