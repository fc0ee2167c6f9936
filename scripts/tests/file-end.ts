/** The comment in the TAP stream of several files behind each of them: which file ended, and what it took. */

export interface FileEnd {
	/** Compiled, as it was given. */
	readonly file: string;
	readonly seconds: number;
	readonly processorSeconds: number;
}

const beginning = "file-end ";

export const fileEnd = {
	/** @returns the comment's text. */
	write: (end: FileEnd) => beginning + JSON.stringify(end),
	/** @param line of the stream. @returns undefined if it is another one. */
	read: (line: string): FileEnd | undefined =>
		line.startsWith(`# ${beginning}`)
			? JSON.parse(line.slice(2 + beginning.length))
			: undefined,
};
