/** The command line. */
import { noteCodeWasCompiled } from "../config/own-program.js";
import { reportUnpackError } from "../executable/unpack-error.js";
import { program, setUpFor, verbIn } from "./verbs.js";

/**
 * @param words without the program.
 * @param wasCompiled whether V8 took compiled code of the bundle that this is in.
 */
export function run(words: readonly string[], wasCompiled?: boolean): void {
	if (wasCompiled !== undefined) noteCodeWasCompiled(wasCompiled);
	// `earshot licenses | head`: the reader has closed the pipe
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code !== "EPIPE") throw error;
		process.exit(0);
	});
	parse(words).catch(reportUnpackError);
}

async function parse(words: readonly string[]): Promise<void> {
	const verb = verbIn(words);
	setUpFor(verb);
	const earshot = await program(verb);
	await earshot.parseAsync(words, { from: "user" });
}
