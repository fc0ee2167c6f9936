/**
 * Whoever knows a task's id may read its transcript (`auth.result_needs_token`), so where others than its owner read, an id is its first characters: they find
 * the lines of one task among all, and the task itself (`earshot tasks show`), and say a quarter of what would open it.
 */

/** Of ours are 32; whatever else is that long and hexadecimal is a secret, or a sum of which as much is enough. */
const longHexadecimal = /([0-9a-f]{8})[0-9a-f]{24,}/g;

export function withShortIds(text: string): string {
	return text.replace(longHexadecimal, "$1");
}
