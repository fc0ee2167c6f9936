/** The lists of words that a task names, as a task asks for them. */
import type { WordSource } from "../word-lists/references.js";
import type { FileOptions } from "./file-options.js";
import type { TaskWords } from "./run-parts.js";

export function taskWords(source: WordSource): TaskWords {
	return {
		find: (options) => source.resolve(referencesOf(options), options.language),
		hold: (words) => source.hold(words),
	};
}

function referencesOf(options: FileOptions) {
	const { hotwordsList, hotwordsId, correctionWordsId, forbiddenWordsId } =
		options;
	return {
		...(hotwordsList && { hotwords_list: hotwordsList }),
		...(hotwordsId !== undefined && { hotwords_id: hotwordsId }),
		hotwords_weight: options.hotwordsWeight,
		...(correctionWordsId !== undefined && {
			correction_words_id: correctionWordsId,
		}),
		...(forbiddenWordsId !== undefined && {
			forbidden_words_id: forbiddenWordsId,
		}),
	};
}
