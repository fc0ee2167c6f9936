/** A form of digits with signs in it, as spoken. */
export interface SpokenForm {
	readonly to: number;
	readonly text: string;
}

/** @param form sticky; no two neighbouring parts of it can match the same characters. */
export function speakForm(
	text: string,
	from: number,
	form: RegExp,
	speak: (groups: readonly (string | undefined)[]) => string | undefined,
): SpokenForm | undefined {
	form.lastIndex = from;
	const found = form.exec(text);
	if (!found) return undefined;
	const spoken = speak(found);
	return spoken === undefined
		? undefined
		: { to: from + found[0].length, text: spoken };
}

export function isDigit(character: string | undefined): boolean {
	return character !== undefined && character >= "0" && character <= "9";
}
