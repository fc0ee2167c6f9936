/**
 * A command line as commander reads it, in this process: what it refuses does not take a program each. That a refusal ends the program with 2 holds for every
 * verb (`verb`, runtime/cli/verb.ts) and is shown by one program of each file.
 */
import type { Command } from "commander";

/** @throws CommanderError with what the program would print */
export async function parsed(
	command: Command,
	...words: readonly string[]
): Promise<void> {
	for (const it of [command, ...command.commands])
		it.exitOverride().configureOutput({ writeErr: () => {} });
	await command.parseAsync(words, { from: "user" });
}
