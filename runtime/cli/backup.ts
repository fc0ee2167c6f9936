/** `earshot backup FILE` beside a running server or without one; `earshot restore FILE` only without. */
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
		"copy the database (tokens, applications, word lists, tasks and transcripts) to a file, whether the server runs or not",
	)
		.argument("<file>", "made with mode 0600: it holds applications' secrets")
		.option("--force", "replace the file if it is there")
		.action(action(backup));
}

export function restoreCommand(): Command {
	return verb(
		"restore",
		"put the state of a file that backup made in place; the earlier state is kept beside it",
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
		throw new UsageError(`there is nothing to copy in ${dir}`);
	if (existsSync(file) && !options.force)
		throw new UsageError(`${file} is there already; --force replaces it`);
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
	print(`${dir} is restored from ${file}`);
	if (before !== undefined) print(`what was there before: ${before}`);
	print(
		"tokens revoked since that backup are valid again: see earshot token list",
	);
}
