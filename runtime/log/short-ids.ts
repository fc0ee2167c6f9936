/**
 * A task's id gives access to its transcript (`auth.result_needs_token`), so where others than its owner may read it, only its first characters are shown: they
 * suffice to find the lines of one task in the log, and the task itself (`earshot tasks show`), but are only a quarter of what gives access.
 */

/** Our ids have 32 characters; other long hexadecimal texts are secrets, or checksums of which 8 characters suffice. */
const longHexadecimal = /([0-9a-f]{8})[0-9a-f]{24,}/g;

export function withShortIds(text: string): string {
	return text.replace(longHexadecimal, "$1");
}
