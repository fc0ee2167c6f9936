/** Questions that a person answers in a terminal; a script answers them with a flag. */
import { createInterface } from "node:readline/promises";

/** @returns false where nobody can be asked. */
export async function confirmed(question: string): Promise<boolean> {
	if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
	const terminal = createInterface({
		input: process.stdin,
		output: process.stderr,
	});
	try {
		const answer = await terminal.question(`${question} [y/N] `);
		return /^y(?:es)?$/i.test(answer.trim());
	} finally {
		terminal.close();
	}
}
