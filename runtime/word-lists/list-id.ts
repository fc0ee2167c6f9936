/** Ids of stored lists: those that clients give, and those that the service makes. */
import { randomInt } from "node:crypto";

export const idCharactersMax = 150;
const idLetters = 16;
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

export function isListId(text: string): boolean {
	return text.length <= idCharactersMax && /^[a-zA-Z0-9_-]+$/.test(text);
}

export function randomId(prefix: string): string {
	const random = Array.from(
		{ length: idLetters },
		() => letters[randomInt(letters.length)],
	);
	return `${prefix}${random.join("")}`;
}
