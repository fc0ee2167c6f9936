/** Converts lmdb's errors to StoreError, and keeps its stray rejections from ending the program. */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "./store-error.js";

/** lmdb's codes for a file that is not, or no longer, a database that it can read. */
const damageCodes: ReadonlySet<unknown> = new Set([
	-30797, // MDB_PAGE_NOTFOUND
	-30796, // MDB_CORRUPTED
	-30795, // MDB_PANIC
	-30794, // MDB_VERSION_MISMATCH
	-30793, // MDB_INVALID
	-30784, // MDB_INCOMPATIBLE
	-30780, // MDB_BAD_DBI
]);
const fullCodes: ReadonlySet<unknown> = new Set([27, 28, 122]); // EFBIG, ENOSPC, EDQUOT

/** lmdb's rejection carries its reason in a second promise. */
export async function explain(
	cause: unknown,
	path: string,
): Promise<StoreError> {
	if (cause instanceof StoreError) return cause;
	const inner = (cause as { commitError?: Promise<never> }).commitError;
	const reason = await Promise.resolve(inner).then(
		() => cause,
		(it: unknown) => it,
	);
	return asStoreError(reason, path);
}

/** @throws StoreError for any error of `act` */
export function attempt<T>(path: string, act: () => T): T {
	try {
		return act();
	} catch (cause) {
		throw asStoreError(cause, path);
	}
}

function asStoreError(cause: unknown, path: string): StoreError {
	if (cause instanceof StoreError) return cause;
	const { code, message } = cause as { code?: unknown; message?: string };
	const reason = message?.split("\n")[0] ?? String(cause);
	if (fullCodes.has(code))
		return new StoreError(
			"full",
			`${path} can't be written: the disk is full (${reason})`,
			cause,
		);
	if (damageCodes.has(code) || cause instanceof SyntaxError)
		return new StoreError("damaged", `${path} is damaged: ${reason}`, cause);
	return new StoreError(
		"unavailable",
		`${path} can't be used: ${reason}${notOurs(path)}`,
		cause,
	);
}

/** A hint about files of another user, such as those that root created before root's files were given to the folder's owner. */
function notOurs(path: string): string {
	const theirs = [path, `${path}-lock`].find((it) => {
		const uid = statSync(it, { throwIfNoEntry: false })?.uid;
		return uid !== undefined && uid !== process.geteuid?.();
	});
	return theirs === undefined || process.geteuid?.() === 0
		? ""
		: `; ${theirs} belongs to another user: to give it to the owner of the folder, run as root \`chown --reference=${dirname(path)} ${path}*\``;
}

let swallowing = false;

/** On a failed commit lmdb also rejects promises that nobody handles, besides the one that we await: Node would exit. */
export function swallowStrayRejections(): void {
	if (swallowing) return;
	swallowing = true;
	process.on("unhandledRejection", (reason) => {
		if (isLmdbCommitError(reason)) return;
		throw reason; // becomes an uncaught exception, as without this listener
	});
}

function isLmdbCommitError(reason: unknown): boolean {
	return (
		reason instanceof Error &&
		(reason.message.startsWith("Commit failed") ||
			/node_modules[/\\]lmdb[/\\]/.test(reason.stack ?? ""))
	);
}
