/** `earshot check-store FILE`: the process that reads a database before the server opens it, as the store starts it. */
import { Command } from "commander";
import { checkDatabase } from "../store/open-check.js";

export function checkStoreCommand(): Command {
	return new Command("check-store")
		.description("reads a database, as the store starts it")
		.option(
			"--large-bytes-max <bytes>",
			"leave out what large rows of a table hold, where they take more",
			Number,
			Number.POSITIVE_INFINITY,
		)
		.argument("<file>", "the database")
		.action((file: string, options: { largeBytesMax: number }) =>
			process.exit(checkDatabase(file, options.largeBytesMax)),
		);
}
