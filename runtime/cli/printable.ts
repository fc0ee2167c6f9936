/** @returns a text of others as it may go to a terminal: it is not to move somebody's cursor. */
export function printable(text: string): string {
	return text.replace(/\p{Cc}/gu, " ");
}
