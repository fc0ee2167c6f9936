/**
 * The words that a Chinese text is about: jieba cuts it up, and what stands there more often than in other texts (TF-IDF) counts. Names, terms and Latin
 * words only: a verb or a particle as a hotword does harm. The only file that knows jieba; it loads 11 MB of dictionaries.
 */
import { Jieba, TfIdf } from "@node-rs/jieba";
import { dict, idf } from "@node-rs/jieba/dict.js";

/** jieba's tags: nouns and names of any sort, verbs used as nouns, fixed expressions, abbreviations, Latin words. */
const speechParts = [
	"n",
	"nr",
	"nrt",
	"nrfg",
	"ns",
	"nt",
	"nz",
	"vn",
	"l",
	"i",
	"j",
	"eng",
];

export type KeywordFinder = (
	text: string,
	countMax: number,
) => { readonly text: string; readonly weight: number }[];

/** About 0.3 s. @returns what finds keywords, best first; 0.2 s for a million characters. */
export function openKeywords(): KeywordFinder {
	const jieba = Jieba.withDict(dict);
	const weights = TfIdf.withDict(idf);
	return (text, countMax) =>
		weights
			.extractKeywords(jieba, text, countMax, speechParts)
			.map(({ keyword, weight }) => ({ text: keyword, weight }));
}
