/** Questions that a person answers in a terminal; a script answers them with a flag. */
import { createInterface } from "node:readline/promises";

/** @returns false where nobody can be asked, and where Ctrl-C or Ctrl-D is the answer. */
export async function confirmed(question: string): Promise<boolean> {
	if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
	const terminal = createInterface({
		input: process.stdin,
		output: process.stderr,
	});
	try {
		const answer = await terminal.question(`${question} [y/N] `);
		return /^y(?:es)?$/i.test(answer.trim());
	} catch (error) {
		if ((error as Error).name !== "AbortError") throw error;
		process.stderr.write("\n"); // the cursor is behind the question
		return false;
	} finally {
		terminal.close();
	}
}
