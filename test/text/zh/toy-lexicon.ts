/** A small lexicon in the form of jieba's dictionary. */
import { buildLexicon } from "../../../runtime/text/zh/lexicon-builder.js";

const toyDictionary = `北京 900 ns
背景 90 n
图书 300 n
图书馆 200 n
书 500 n
馆 50 n
北 400 f
京 30 n
背 80 v
景 20 n
图 100 n
银行 400 n
行 300 v
行长 30 n
音 60 n
航 10 v
我 3000 r
在 2500 p
再 600 d
看 900 v
刊 9 v
了 5000 u
乐 60 a
误 2 v
`;

let made: Uint8Array | undefined;

/** Made once: the readings of all characters take half a second. */
export function toyLexiconFile(): Uint8Array {
	made ??= buildLexicon(new TextEncoder().encode(toyDictionary));
	return made.slice();
}
