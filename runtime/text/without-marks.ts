/** A rule that sees a text as it is shown without marks, though it still has them: those of a file are left out after its sentences are cut by them. */
import type { TextRule } from "./edits.js";
import { type MarkStyle, spellMarks } from "./punctuation.js";

export function withoutMarks(rule: TextRule, style: MarkStyle): TextRule {
	return (text) => {
		const characters = [...text];
		const spelled = spellMarks(characters, style, false);
		const froms: number[] = []; // in the text, of each unit that is left
		let at = 0;
		characters.forEach((character, i) => {
			for (let unit = 0; unit < (spelled[i] as string).length; unit++)
				froms.push(at + unit);
			at += character.length;
		});
		return rule(spelled.join("")).map((edit) => ({
			...edit,
			from: froms[edit.from] as number,
			to: (froms[edit.to - 1] as number) + 1,
		}));
	};
}
