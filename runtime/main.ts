/** The command line. */
import { program, verbIn } from "./cli/verbs.js";
import { UnpackError } from "./executable/unpack-error.js";

// `earshot licenses | head`: the reader has closed the pipe
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	if (error.code !== "EPIPE") throw error;
	process.exit(0);
});
main(process.argv.slice(2)).catch((error: unknown) => {
	if (!(error instanceof UnpackError)) throw error;
	process.stderr.write(`earshot: ${error.message}\n`);
	process.exitCode = 1;
});

async function main(words: readonly string[]): Promise<void> {
	const earshot = await program(verbIn(words));
	await earshot.parseAsync(words, { from: "user" });
}
