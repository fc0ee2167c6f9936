/**
 * Candidate keyword phrases: runs of English words without function words or marks, and in Japanese runs of nouns as well.
 */
import type { JapaneseWord } from "../ja/reading.js";

/** English words that do not indicate a topic: articles to adverbs, and the verbs and nouns of any conversation. */
const functionWords: ReadonlySet<string> = new Set(
	`a an the this that these those such what which who whom whose where when why how there here
	i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours ourselves they them their theirs themselves
	one ones someone somebody something anyone anybody anything everyone everybody everything nobody nothing none other others another each every either neither both all any some many much few more most less least several
	am is are was were be been being do does did doing done have has had having will would shall should can could may might must ought
	and or but nor so yet for because although though if unless until while as than then since whether
	of in on at by to from with without about into onto over under up down out off through during before after between among against within along across behind beyond near toward towards upon per via
	not no yes yeah yep nope ok okay oh ah um uh hmm well please thanks thank hello hi bye sorry
	very too also just only even still already again ever never always often sometimes usually maybe perhaps probably actually really quite rather pretty almost enough however therefore thus instead otherwise anyway basically exactly absolutely definitely certainly simply finally first second last next now today tomorrow yesterday soon later ago once twice away back together
	go goes going went gone come comes coming came get gets getting got gotten give gives giving gave given take takes taking took taken make makes making made put puts let lets say says saying said tell tells telling told talk talks talking talked speak ask asks asking asked know knows knowing knew known think thinks thinking thought mean means meaning meant see sees seeing saw seen look looks looking looked watch hear heard feel feels feeling felt want wants wanted need needs needed like likes liked try tries trying tried keep keeps keeping kept start starts started stop stops stopped begin begins began use uses used using work works working find finds finding found call calls called show shows seem seems seemed help helps happen happens happened turn turns turned leave leaves left bring brings brought become becomes became
	thing things stuff lot lots bit kind kinds sort sorts way ways time times day days week month year years people person man men woman women guy guys place part parts side end case point fact example number question
	good better best bad worse worst great nice big small little large long short high low old new young same different right wrong true sure own able whole full hard easy important
	two three four five six seven eight nine ten hundred thousand million half
	don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't haven't hasn't hadn't i'm i've i'll i'd you're you've you'll you'd he's she's it's that's there's here's what's who's we're we've we'll we'd they're they've they'll let's
	mr mrs ms dr`.split(/\s+/),
);

/** A candidate, and its words. */
export interface Phrase {
	readonly text: string;
	readonly parts: readonly string[];
}

const englishWord =
	/[\p{Script=Latin}\p{N}]+(?:['’.&+#/-]+[\p{Script=Latin}\p{N}]+)*[+#]*/gu;
/** A longer run of English words is a sentence without function words. */
const partsMax = 3;

export function englishPhrases(text: string): Phrase[] {
	const phrases: Phrase[] = [];
	let run: { word: string; from: number; to: number }[] = [];
	const close = () => {
		const [first] = run;
		const last = run.at(-1);
		if (first && last && run.length <= partsMax)
			phrases.push({
				text: text.slice(first.from, last.to),
				parts: run.map((it) => it.word.toLowerCase()),
			});
		else
			for (const { word } of run)
				phrases.push({ text: word, parts: [word.toLowerCase()] });
		run = [];
	};
	for (const { 0: word, index } of text.matchAll(englishWord)) {
		const last = run.at(-1);
		if (last && text.slice(last.to, index) !== " ") close();
		if (isTerm(word)) run.push({ word, from: index, to: index + word.length });
		else close();
	}
	close();
	return phrases;
}

function isTerm(word: string): boolean {
	return (
		word.length > 1 &&
		/\p{Script=Latin}/u.test(word) &&
		!functionWords.has(word.toLowerCase().replaceAll("’", "'"))
	);
}

/** Categories of nouns that do not indicate a topic: pronouns, the こと of 話すこと, numbers, 今日. */
const emptyNouns: ReadonlySet<string> = new Set([
	"代名詞",
	"非自立",
	"数",
	"副詞可能",
	"特殊",
	"接続詞的",
	"動詞非自立的",
	"引用文字列",
]);
/** Words that do not indicate a topic either, though the dictionary lists them as plain nouns. */
const emptyWords =
	/^(?:お願い|感じ|自分|皆さん|みんな|本当|大丈夫|必要|場合|部分|方法|問題|今回|次回|前回|最初|最後|全部|一番|一緒|普通|以上|以下|皆様|人間|何か|話|人|方|目|手|声|点|形|気|間|中|上|下|前|後|時|年|月|日|分|秒|回|個|的|性|化|者|等|さん|くん|ちゃん|様|たち|ら)$/u;

/** @param words of one line. */
export function japanesePhrases(words: readonly JapaneseWord[]): Phrase[] {
	const phrases: Phrase[] = [];
	let run: string[] = [];
	const close = () => {
		const text = run.join("");
		if (run.length > 0 && isPhrase(text)) phrases.push({ text, parts: run });
		run = [];
	};
	for (const word of words) {
		if (isNoun(word) && (run.length > 0 || word.subcategory !== "接尾"))
			run.push(word.surface);
		else if (
			word.partOfSpeech === "接頭詞" &&
			/\p{Script=Han}/u.test(word.surface)
		) {
			close();
			run.push(word.surface); // 再|利用
		} else close();
	}
	close();
	return phrases;
}

function isNoun({ partOfSpeech, subcategory, surface }: JapaneseWord): boolean {
	if (partOfSpeech === undefined)
		return /^[\p{Script=Katakana}ー]{2,}$/u.test(surface); // not in the dictionary
	return (
		partOfSpeech === "名詞" &&
		!emptyNouns.has(subcategory ?? "") &&
		/[\p{L}]/u.test(surface)
	);
}

function isPhrase(text: string): boolean {
	if ([...text].length < 2 || emptyWords.test(text)) return false;
	return /[\p{Script=Han}\p{Script=Katakana}]/u.test(text);
}
