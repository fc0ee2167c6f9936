/**
 * A list of words that a user keeps or sends, on its way from a door to the rooms that use it.
 *
 * INVARIANTS
 * - `key` names these entries for ever: a changed list has another key. So whoever compiles a list may keep what was compiled, and a list need only be
 *   sent once to where its key is known already.
 * - Entries were checked by the rules of their kind (hotword.ts, correction.ts, forbidden.ts) before a list was made of them.
 */
export interface WordList {
	readonly key: string;
	/** As the user wrote them: `writing` or `writing,reading,category`; `wrong|wrong2,right`; a word. */
	readonly entries: readonly string[];
}
