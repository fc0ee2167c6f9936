/** What a part of the program says for people, in this process. */

/** @returns what was written to standard error until it was done; it goes nowhere else. */
export async function errorsOf(
	act: () => Promise<unknown> | unknown,
): Promise<string> {
	const { write } = process.stderr;
	let text = "";
	process.stderr.write = (given: string | Uint8Array) => {
		text += String(given);
		return true;
	};
	try {
		await act();
	} finally {
		process.stderr.write = write;
	}
	return text;
}
