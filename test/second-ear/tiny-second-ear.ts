/** A tiny model of random weights whose symbols are pinyin, as it would be published. */
import {
	writeTinyZipformer,
	zipformer2States,
} from "../published/tiny-graphs.js";

const symbols = [
	...["b", "p", "m", "f", "d", "t", "n", "l", "g", "k", "h", "j", "q", "x"],
	...["zh", "ch", "sh", "r", "z", "c", "s", "y", "w"],
	...["ā", "à", "āi", "ěi", "ū", "ào", "óu", "ǚ", "üè", "ē", "ǎo", "àn", "ēng"],
	...["iāng", "ióng", "uán", "ī", "uāng", "uǐ", "uò", "ěn", "ōng", "īn", "ǒ"],
	...["ér", "èr", "a", "A"],
];

export function writeTinySecondEar(folder: string): void {
	writeTinyZipformer(folder, zipformer2States(), 9, symbols);
}
