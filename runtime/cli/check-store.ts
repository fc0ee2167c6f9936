/** `earshot check-store FILE`: the process in which the store checks a database before the server opens it. */
import { Command } from "commander";
import { checkDatabase } from "../store/open-check.js";

export function checkStoreCommand(): Command {
	return new Command("check-store")
		.description("reads a database, as the store starts it")
		.option(
			"--large-bytes-max <bytes>",
			"skip the contents of a table's large rows where they exceed this size",
			Number,
			Number.POSITIVE_INFINITY,
		)
		.argument("<file>", "the database")
		.action((file: string, options: { largeBytesMax: number }) =>
			process.exit(checkDatabase(file, options.largeBytesMax)),
		);
}
