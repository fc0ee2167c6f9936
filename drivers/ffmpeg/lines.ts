/**
 * A child process whose output is lines: started under limits, read at the consumer's pace, and always ended.
 */
import { Subprocess } from "./subprocess.js";
import { undecodable } from "./undecodable.js";

export interface LinesOptions {
	/** Program and arguments. */
	readonly argv: readonly string[];
	/** Removed from messages. */
	readonly secrets: readonly string[];
	readonly secondsMax: number;
	readonly signal: AbortSignal | undefined;
}

/** A longer line is an error. */
const lineCharactersMax = 64 * 1024;

/** Yields lines in groups, as they arrive. @throws CodedError 200006 when the child fails; the signal's reason when aborted; Error if it can't be started. */
export async function* readLines(
	options: LinesOptions,
): AsyncGenerator<readonly string[], void, void> {
	const child = await Subprocess.start("ignore", options);
	const timer = setTimeout(
		() => child.kill(undecodable(`it took over ${options.secondsMax} s`)),
		options.secondsMax * 1000,
	);
	try {
		let rest = "";
		child.stdout.setEncoding("latin1");
		for await (const text of child.stdout as AsyncIterable<string>) {
			const lines = (rest + text).split("\n");
			rest = lines.pop() ?? "";
			if (rest.length > lineCharactersMax)
				throw undecodable("a line of its description is too long");
			yield lines;
		}
		if (rest !== "") yield [rest];
		const [code, signal] = await child.exit();
		if (code !== 0)
			throw undecodable(
				child.stderr.lastLine() || `the probe ended with ${signal ?? code}`,
			);
	} finally {
		clearTimeout(timer);
		await child.end();
	}
}
