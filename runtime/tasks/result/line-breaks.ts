/**
 * The cost of ending a subtitle line between two words: 0 for the best places, 10 for the worst. Good places follow a clause or a pause; in Japanese they
 * follow a particle and never precede one; in Chinese they precede a conjunction and never 的 or 了; in English they precede the words that open a phrase, and
 * never follow an article. (Common rules of subtitling: BBC and Netflix guidelines, "line breaks".)
 */
import { isJapanese, isSpaced, type Language } from "../../text/languages.js";
import { isCjk, isMark } from "../../text/marks.js";
import type { Sentence, SentenceWord } from "./sentence.js";
import { isAbbreviation } from "./sentence-ends.js";

export interface BreakPlace {
	/** The last word before the place, without marks, and the first after it. */
	readonly before: string;
	readonly after: string;
	/** The marks before the place; "" for none. */
	readonly marks: string;
	readonly silenceMs: number;
}

/** @param at number of the word after the place: from 1 to the last word. */
export function placeBefore(
	{ text, words }: Pick<Sentence, "text" | "words">,
	at: number,
): BreakPlace {
	let last = at - 1; // of a word that is not a mark
	let marks = "";
	while (last >= 0 && words[last]?.kind === "punc")
		marks = written(text, words[last--]) + marks;
	let next = at;
	while (words[next]?.kind === "punc") next++;
	return {
		before: written(text, words[last]),
		after: written(text, words[next]),
		marks: [...marks].filter(isMark).join(""),
		silenceMs: (words[at]?.startMs ?? 0) - (words[at - 1]?.endMs ?? 0),
	};
}

function written(text: string, word: SentenceWord | undefined): string {
	return word ? text.slice(word.from, word.to) : "";
}

const worst = 10;
const usual = 4;

export function breakCost(place: BreakPlace, language: Language): number {
	const { marks, silenceMs } = place;
	const isPoint = marks === ".";
	if (isPoint && isAbbreviation(place.before, place.after)) return worst;
	if (isPoint && /^\p{Ll}/u.test(place.after)) return byWords(place, language); // 5 p.m. sharp
	if (/[。？！?!…]/u.test(marks) || /\.$/.test(marks)) return 0;
	if (/[，、；：,;:—―–]/u.test(marks)) return 0.5;
	if (marks !== "") return 2; // a closing bracket or quote
	const rest = silenceMs >= 500 ? 0.2 : silenceMs >= 250 ? 0.5 : 1;
	return byWords(place, language) * rest;
}

function byWords(place: BreakPlace, language: Language): number {
	const { before, after } = place;
	if (isLatin(before) && isLatin(after))
		// in Chinese or Japanese text it is a name or a term
		return isSpaced(language) ? english(place) : 7;
	if (isSpaced(language)) return english(place);
	if (isNumber(before)) return worst - 1; // a number and its counter
	return isJapanese(language) ? japanese(place) : chinese(place);
}

const englishOpeners = new Set(
	"and but or so because that which who whom whose where when while if unless until although though as than then to in on at by for with from into over under about after before during through between without".split(
		" ",
	),
);
const englishClosers = new Set(
	"a an the my your his her its our their this that these those some any no every each to of in on at by for with from into about and but or as i you he she it we they am is are was were be been being do does did have has had will would can could shall should may might must not very mr mrs ms dr".split(
		" ",
	),
);

function english({ before, after }: BreakPlace): number {
	const closes = englishClosers.has(before.toLowerCase());
	const opens = englishOpeners.has(after.toLowerCase());
	if (closes) return opens ? 6 : 8;
	return opens ? 2 : usual;
}

const japaneseParticles =
	/^(?:は|が|を|に|で|と|も|へ|や|から|まで|より|ので|のに|けど|けれど|けれども|ば|たら|ながら|たり|には|では|とは|にも|でも|って|て|し|です|ます|ました|でした|ですが|ますが|という)$/u;
/** Words in hiragana that may begin a phrase. */
const japaneseStarters =
	/^(?:はい|ええ|うん|いえ|いいえ|この|その|あの|どの|これ|それ|あれ|どれ|ここ|そこ|あそこ|どこ|こう|そう|ああ|どう|とても|もう|また|まだ|でも|だから|しかし|そして|それで|それから|ただ|ちょっと|すごく|たぶん|きっと|みんな|いつ|いま|わたし|ぼく|あなた|すべて|ほとんど|やっぱり|やはり|なぜ|なに|さらに|たとえば|まず|つまり|いろいろ|あと|もし|もちろん|ほんと|なので|すると|ところで)/u;

function japanese({ before, after }: BreakPlace): number {
	if (/^[ぁ-ゖー]+$/u.test(after) && !japaneseStarters.test(after))
		return worst; // a particle, an ending, こと
	if (/^[っんょゃゅー]/u.test(after)) return worst;
	if (japaneseParticles.test(before)) return 1.5;
	if (before === "の" || before === "な") return 5;
	if (isKanji(before) && isKanji(after)) return 7; // 東京|駅
	if (isKatakana(before) && isKatakana(after)) return 7;
	return /[ぁ-ゖ]$/u.test(before) ? 5 : 6;
}

/** Words that belong to the word before them. */
const chineseLeaners =
	/^(?:的|地|得|了|着|过|们|吗|呢|吧|啊|呀|嘛|之|上|下|里|中|内|外|后|前|时|们的|之间|之后|之前|以后|以前|以上|以下|左右|起来|下来|出来|下去)$/u;
const chineseOpeners =
	/^(?:但|但是|可是|不过|然而|因为|由于|所以|因此|如果|要是|虽然|尽管|然后|而且|并且|而|并|或|或者|还是|以及|和|与|跟|同时|另外|那么|于是|就|才|也|都|还|又|再|只要|只有|无论|不管|除了|为了|通过|根据|对于|关于|当|从|在|把|被|向|对|给)$/u;
const chineseClosers =
	/^(?:在|把|被|从|向|对|给|跟|和|与|为|以|将|由|到|是|不|没|没有|很|太|最|更|比|让|使|叫|这|那|这个|那个|一|一个|每|各|第|而|并|或|就|才|也|都|还|又|再|我|你|他|她|它|我们|你们|他们|会|能|要|想|可以|需要|应该|正在)$/u;

/** Words that may begin a clause. */
const chineseSubjects =
	/^(?:我|你|您|他|她|它|我们|你们|他们|她们|它们|咱们|大家)$/u;

function chinese({ before, after }: BreakPlace): number {
	if (/^[吗呢吧嘛]$/u.test(before)) return 1; // a final particle ends the clause
	if (chineseLeaners.test(after)) return worst;
	if (chineseClosers.test(before) || chineseOpeners.test(before)) return 8;
	if (chineseOpeners.test(after)) return 2;
	if (chineseSubjects.test(after)) return 3;
	if (/^(?:的|了|着|过)$/u.test(before)) return before === "的" ? 5 : 3;
	return usual;
}

function isLatin(word: string): boolean {
	return /^[\p{Script=Latin}\p{N}]/u.test(word) && !isCjk(word);
}

function isNumber(word: string): boolean {
	return /^[\p{N}〇零一二三四五六七八九十百千万亿億两]+$/u.test(word);
}

function isKanji(word: string): boolean {
	return /^[\p{Script=Han}々]+$/u.test(word);
}

function isKatakana(word: string): boolean {
	return /^[ァ-ヺー]+$/u.test(word);
}
