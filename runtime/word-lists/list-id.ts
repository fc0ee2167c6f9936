/** Ids of stored lists: those that clients give, and those that the service makes. */
import { randomInt } from "node:crypto";
import { listIdPattern } from "../words/list-key.js";

const idLetters = 16;
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

const wholeId = new RegExp(`^${listIdPattern}$`);

export function isListId(text: string): boolean {
	return wholeId.test(text);
}

export function randomId(prefix: string): string {
	const random = Array.from(
		{ length: idLetters },
		() => letters[randomInt(letters.length)],
	);
	return `${prefix}${random.join("")}`;
}
