/** `earshot backup FILE`, with or without a running server; `earshot restore FILE` only without one. */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { bytesPerMegabyte } from "../config/sections/files.js";
import { restoreBackup, writeBackup } from "../store/backup.js";
import { databasePath, hasContent } from "../store/state-files.js";
import { withStore } from "./store-visit.js";
import { action, configFor, print, UsageError, verb } from "./verb.js";

export function backupCommand(): Command {
	return verb(
		"backup",
		"copy the database (tokens, applications, word lists, tasks and transcripts) to a file, with or without a running server",
	)
		.argument(
			"<file>",
			"created with mode 0600: it contains applications' secrets",
		)
		.option("--force", "replace the file if it exists")
		.action(action(backup));
}

export function restoreCommand(): Command {
	return verb(
		"restore",
		"restore the state from a backup file; the earlier state is kept beside it",
	)
		.argument("<file>", "made by earshot backup")
		.action(action(restore));
}

async function backup(
	file: string,
	options: { force?: boolean },
	command: Command,
): Promise<void> {
	const { state, files } = configFor(command).values;
	const { dir } = state;
	if (!hasContent(databasePath(dir)))
		throw new UsageError(`${dir} has no database to copy`);
	if (existsSync(file) && !options.force)
		throw new UsageError(`${file} already exists; use --force to replace it`);
	const reserveBytes = files.disk_reserve_megabytes * bytesPerMegabyte;
	await withStore(dir, (store) =>
		writeBackup(store.database, file, { reserveBytes }),
	);
	print(`copied to ${file}`);
}

async function restore(
	file: string,
	_options: object,
	command: Command,
): Promise<void> {
	const { dir } = configFor(command).values.state;
	const { before } = await restoreBackup(dir, file);
	print(`restored ${dir} from ${file}`);
	if (before !== undefined) print(`the earlier state is kept in: ${before}`);
	print(
		"tokens revoked since that backup are valid again: see earshot token list",
	);
	print("stored audio that it does not name is removed at the next start");
}
