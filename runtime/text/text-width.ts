/** The number of columns a text takes in a terminal or a subtitle: Chinese and Japanese characters take two, combining marks none. */

/** East Asian wide and full-width characters, and emoji. */
const wide =
	/[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

export function textColumns(text: string): number {
	let columns = 0;
	for (const character of text) columns += columnsOfCharacter(character);
	return columns;
}

/** The text if it fits, else its end after an ellipsis: the newest words matter most. */
export function endThatFits(text: string, columnsMax: number): string {
	if (textColumns(text) <= columnsMax) return text;
	const kept: string[] = [];
	let columns = 1; // the ellipsis
	for (const character of [...text].reverse()) {
		columns += columnsOfCharacter(character);
		if (columns > columnsMax) break;
		kept.push(character);
	}
	return `…${kept.reverse().join("")}`;
}

function columnsOfCharacter(character: string): number {
	if (/^\p{M}$/u.test(character)) return 0;
	return wide.test(character) ? 2 : 1;
}
