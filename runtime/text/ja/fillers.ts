/**
 * Japanese fillers: sounds made while thinking (えーと, あのー, うーん). Those that are also words (あの人, まあまあ, なんか変だ) are fillers
 * only between marks.
 */
import type { Span } from "../language-rules.js";
import { PrefixTable } from "../prefix-table.js";

/** Not confused with any other word. */
const always = new PrefixTable([
	...["えーと", "えーっと", "えっと", "えっとー", "えーっとー", "えーとー"],
	...["ええと", "ええっと", "えぇと", "えぇっと", "うーんと", "うーん"],
	...["あのー", "あのーー", "あのぉ", "あのぅ", "このー", "そのー", "そのぅ"],
	...["んーと", "んっと", "うーむ"],
]);
/** Fillers between marks, or between a mark and the end. */
const setOff = new PrefixTable([
	...["あの", "あのう", "まあ", "まぁ", "まー", "その", "そのう"],
	...[
		"えー",
		"えーー",
		"えぇ",
		"あー",
		"あーー",
		"うー",
		"んー",
		"んーー",
		"ん",
	],
]);
/** Sounds that also begin a sentence without a mark after them: えー本日は. */
const opening = new PrefixTable(["えー", "あー", "んー"]);
/** Only at the start of a sentence, before a mark. */
const initial = new PrefixTable(["なんか", "なんかー", "こう"]);
/** What follows a hesitant あの. */
const apology =
	/^(?:すみません|すいません|ごめん|申し訳|えーと|えっと|実は|お願い|ちょっとすみません)/;

const mark = /^[\s、。，．,.!?！？…「」『』（）()]$/u;
const sentenceEnd = /^[。．.!?！？「『\n]$/u;
const letter = /^[\p{L}\p{M}\p{N}ーｰ]$/u;
const kana = /^[\p{Script=Hiragana}\p{Script=Katakana}ー\p{M}]$/u;
/** ええと思う, えっとく: with these endings it is another word. */
const otherWord = /^(?:思|おも|言|いう|いっ|ちゃ)/;

export function findFillers(text: string): Span[] {
	const fillers: Span[] = [];
	let i = 0;
	while (i < text.length) {
		const filler = fillerAt(text, i);
		if (filler === undefined) {
			i++;
			continue;
		}
		const to = politeEnd(text, i + filler.length);
		fillers.push({ from: i, to });
		i = to;
	}
	return fillers;
}

function fillerAt(text: string, at: number): string | undefined {
	const before = text[at - 1] ?? "";
	const clear = always.longestAt(text, at);
	if (clear !== undefined && isClear(text, at, clear)) return clear;
	if (before !== "" && !mark.test(before)) return undefined;
	const between = setOff.longestAt(text, at);
	if (between !== undefined && isSetOff(text, at, between)) return between;
	if (before !== "" && !sentenceEnd.test(before) && !/[\s、]/.test(before))
		return undefined;
	const sound = opening.longestAt(text, at);
	if (sound !== undefined && !kana.test(text[at + sound.length] ?? "、"))
		return sound;
	if (before !== "" && !sentenceEnd.test(before)) return undefined;
	const first = initial.longestAt(text, at);
	if (first === undefined || text[at + first.length] !== "、") return undefined;
	return first;
}

function isClear(text: string, at: number, word: string): boolean {
	const after = text.slice(at + word.length, at + word.length + 2);
	if (otherWord.test(after) || /^[ー\p{M}]/u.test(after)) return false;
	const before = text[at - 1] ?? "";
	// 考えっと: a verb ending
	return !(word.startsWith("えっ") && /^[\p{Script=Han}]$/u.test(before));
}

/** A mark follows; alone it is an answer, not a filler (まあ。). */
function isSetOff(text: string, at: number, word: string): boolean {
	const after = text[at + word.length] ?? "";
	if (word === "あの" && apology.test(text.slice(at + 2, at + 12))) return true;
	return /^[、，,…\s]$/u.test(after) && hasWords(text, at + word.length);
}

/** Whether there are words after it. */
function hasWords(text: string, from: number): boolean {
	const reach = Math.min(text.length, from + 40);
	for (let i = from; i < reach; i++)
		if (letter.test(text[i] as string)) return true;
	return false;
}

/** えーとですね, あのですね: ですね belongs to it if a mark follows. */
function politeEnd(text: string, at: number): number {
	if (!text.startsWith("ですね", at)) return at;
	const after = text[at + 3] ?? "";
	return after === "" || mark.test(after) ? at + 3 : at;
}
