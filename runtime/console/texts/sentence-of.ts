/** What the device says, beside sentences of the page: its messages begin small and have no full stop. */

/** A word, not the name of a parameter of several words, of a file or of this program, nor an address. */
const firstLetter = /^(?!earshot\b)[a-z](?=[a-z'’-]*(?:[ ,;?!]|:(?!\/)|$))/;
const unfinished = /[\p{L}\p{N}\])"'’”`>%]$/u;

export function sentenceOf(message: string): string {
	const begun = message.replace(firstLetter, (it) => it.toUpperCase());
	return unfinished.test(begun) ? `${begun}.` : begun;
}
