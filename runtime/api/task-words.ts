/** The lists of words that a task names, as a task asks for them. */
import type { FileOptions } from "../tasks/file-options.js";
import type { TaskWords } from "../tasks/run-parts.js";
import type { WordSource } from "../word-lists/references.js";

/** @param source asked when it is needed: the doors are built after the tasks. */
export function taskWords(source: () => WordSource): TaskWords {
	return {
		find: (options) =>
			source().resolve(referencesOf(options), options.language),
		hold: (words) => source().hold(words),
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
