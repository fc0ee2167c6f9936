/** A rule that sees a text as it is shown without marks, though it still has them: those of a file are left out after its sentences are cut by them. */
import type { TextRule } from "./edits.js";
import { endsSentence, isMark, isOfTitle, isPart } from "./marks.js";
import { type MarkStyle, spellMarks } from "./punctuation.js";

/** Marks between words, for which Chinese and Japanese subtitles have a space; brackets and quotes are not. */
const divides = /^[，、；：…—―–・,;:～〜]$/u;
/** Of a name: its point ends no sentence. */
const initial = /(?:^|[^\p{L}])\p{Lu}$/u;

export function withoutMarks(rule: TextRule, style: MarkStyle): TextRule {
	return (text) => {
		const characters = [...text];
		const shown = shownCharacters(characters, style);
		const froms: number[] = []; // in the text, of each unit that is left
		let at = 0;
		characters.forEach((character, i) => {
			for (let unit = 0; unit < (shown[i] as string).length; unit++)
				froms.push(at + Math.min(unit, character.length - 1)); // 0. of .5
			at += character.length;
		});
		return rule(shown.join("")).map((edit) => ({
			...edit,
			from: froms[edit.from] as number,
			to: (froms[edit.to - 1] as number) + 1,
		}));
	};
}

/** The end of a sentence stays: nothing is found in two sentences. */
function shownCharacters(
	characters: readonly string[],
	style: MarkStyle,
): string[] {
	return spellMarks(characters, style, false).map((written, i) => {
		const character = characters[i] as string;
		if (!isMark(character) || isPart(characters, i)) return written;
		const isOfName =
			isOfTitle(characters, i) ||
			(character === "." &&
				initial.test(characters.slice(Math.max(0, i - 2), i).join("")));
		if (endsSentence(character) && !isOfName) return character;
		const isApart = characters[i - 1] !== " " && characters[i + 1] !== " ";
		return style !== "en" && divides.test(character) && isApart ? " " : written;
	});
}
