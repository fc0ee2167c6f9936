/**
 * A list of words, stored or sent by a user, on its way from an endpoint to the code that uses it.
 *
 * INVARIANTS
 * - `key` identifies these entries for ever: a changed list has another key. So compiled forms of a list may be cached, and a list need only be
 *   sent once to a process that caches it by key.
 * - Entries passed the rules of their kind (hotword.ts, correction.ts, forbidden.ts) before the list was created.
 */
export interface WordList {
	readonly key: string;
	/** As the user wrote them: `writing` or `writing,reading,category`; `wrong|wrong2,right`; a word. */
	readonly entries: readonly string[];
}
