/** The command line. */
import { noteCodeWasCompiled } from "../config/own-program.js";
import { reportUnpackError } from "../executable/unpack-error.js";
import { systemFault } from "./system-fault.js";
import { program, setUpFor, verbIn } from "./verbs.js";

/**
 * @param words without the program.
 * @param wasCompiled whether V8 took compiled code of the bundle that this is in.
 */
export function run(words: readonly string[], wasCompiled?: boolean): void {
	if (wasCompiled !== undefined) noteCodeWasCompiled(wasCompiled);
	process.stdout.on("error", endByOutput);
	parse(words).catch(reportUnpackError);
}

async function parse(words: readonly string[]): Promise<void> {
	const verb = verbIn(words);
	setUpFor(verb);
	const earshot = await program(verb);
	await earshot.parseAsync(words, { from: "user" });
}

function endByOutput(error: NodeJS.ErrnoException): never {
	// `earshot licenses | head`: the reader has closed the pipe
	if (error.code === "EPIPE") process.exit(0);
	const parts = ["the output can't be written", error.message];
	const todo = systemFault(error)?.todo;
	if (todo !== undefined) parts.push(todo);
	process.stderr.write(`earshot: ${parts.join(": ")}\n`);
	process.exit(1);
}
