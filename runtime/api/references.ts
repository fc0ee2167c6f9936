/**
 * The stored lists that a recognition names: each must exist, whichever door the request came through.
 */
import { CodedError } from "../errors.js";

export interface References {
	readonly hotwords_list?: readonly string[];
	readonly hotwords_id?: string;
	readonly correction_words_id?: string;
	readonly forbidden_words_id?: string;
}

/**
 * Databases and vocabularies have no endpoints yet: none exists that could be referred to. `all` of none is none.
 * @throws CodedError 210404, 211404, 212404
 */
export function checkReferences(options: References): void {
	const { hotwords_id, hotwords_list } = options;
	if (hotwords_id !== undefined && !hotwords_list?.length)
		throw missing("210404", "hotword database", hotwords_id);
	const { correction_words_id, forbidden_words_id } = options;
	if (correction_words_id !== undefined && correction_words_id !== "all")
		throw missing("211404", "correction vocabulary", correction_words_id);
	if (forbidden_words_id !== undefined && forbidden_words_id !== "all")
		throw missing("212404", "forbidden-word list", forbidden_words_id);
}

function missing(
	status: "210404" | "211404" | "212404",
	what: string,
	id: string,
): CodedError {
	return new CodedError(status, `${what} ${id} does not exist`);
}
