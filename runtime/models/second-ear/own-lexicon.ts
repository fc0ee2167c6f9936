/** The lexicon of a second ear for Chinese, made of jieba's dictionary (words and frequencies) and pinyin-pro's readings. */
import { dict } from "@node-rs/jieba/dict.js";
import { buildLexicon } from "../../text/zh/lexicon-builder.js";

let made: Uint8Array | undefined;

/** Takes two seconds, for the first package. */
export function ownLexicon(): Uint8Array {
	made ??= buildLexicon(dict);
	return made;
}
