/**
 * Opens the store of a state directory: checks the file in a child, sets a damaged one aside, goes on from the last backup or from nothing.
 * Only the server repairs; the command line reports what it finds.
 */
import { spawn } from "node:child_process";
import {
	chmodSync,
	copyFileSync,
	existsSync,
	renameSync,
	rmSync,
	statSync,
} from "node:fs";
import { join } from "node:path";
import { type OwnCommand, ownCommand } from "../config/own-program.js";
import { AppRepository } from "./apps.js";
import { Database, type DatabaseOptions } from "./database.js";
import { NonceRepository } from "./nonces.js";
import { damagedExitCode } from "./open-check.js";
import { addOwnerKinds, type OwnerKindsAdded } from "./owner-kinds.js";
import { RecordingRepository } from "./recordings.js";
import { lockStateDir, makeStateDir } from "./state-dir.js";
import { StoreError } from "./store-error.js";
import { TokenRepository } from "./tokens.js";
import { WordListRepository } from "./word-lists.js";

const checkTimeoutMs = 60_000;
/** A reader that dies of these died of the file's contents. */
const damageSignals: readonly (NodeJS.Signals | null)[] = [
	"SIGSEGV",
	"SIGBUS",
	"SIGABRT",
	"SIGILL",
];

export interface Store {
	readonly database: Database;
	readonly tokens: TokenRepository;
	readonly apps: AppRepository;
	readonly nonces: NonceRepository;
	readonly hotwords: WordListRepository;
	readonly correctionWords: WordListRepository;
	readonly forbiddenWords: WordListRepository;
	readonly recordings: RecordingRepository;
	/** Where a damaged file was put, and whether a backup took its place. */
	readonly repaired: Repair | undefined;
	/** What the start did to rows of an older version; undefined for a visit. */
	readonly ownerKindsAdded: OwnerKindsAdded | undefined;
	close(): Promise<void>;
}

export interface Repair {
	readonly damagedFile: string;
	readonly fromBackup: boolean;
	readonly reason: string;
}

export interface StoreOptions extends DatabaseOptions {
	/** The state directory. */
	readonly dir: string;
	/** `serve`: the one server of this directory, which may set a damaged file aside. `visit`: beside it. */
	readonly as: "serve" | "visit";
	/** Instead of this program's own `check-store`; the file to check is its last argument. */
	readonly checkCommand?: OwnCommand;
}

export const databasePath = (dir: string) => join(dir, "store.mdb");
export const backupPath = (dir: string) => join(dir, "store.backup.mdb");

/** @throws StoreError */
export async function openStore(options: StoreOptions): Promise<Store> {
	const { dir } = options;
	makeStateDir(dir);
	const unlock = options.as === "serve" ? lockStateDir(dir) : () => {};
	try {
		const repaired = await checkOrRepair(options);
		const database = Database.open(databasePath(dir), options);
		const ownerKindsAdded =
			options.as === "serve" ? await migrated(database) : undefined;
		const apps = new AppRepository(database);
		return {
			database,
			ownerKindsAdded,
			tokens: new TokenRepository(database, apps),
			apps,
			nonces: new NonceRepository(database),
			hotwords: new WordListRepository(database, "hotwords"),
			correctionWords: new WordListRepository(database, "correction-words"),
			forbiddenWords: new WordListRepository(database, "forbidden-words"),
			recordings: new RecordingRepository(database),
			repaired,
			close: async () => {
				await database.close();
				unlock();
			},
		};
	} catch (thrown) {
		unlock();
		throw thrown;
	}
}

/** @throws StoreError; then it is closed. */
async function migrated(database: Database): Promise<OwnerKindsAdded> {
	try {
		return await addOwnerKinds(database);
	} catch (thrown) {
		await database.close();
		throw thrown;
	}
}

async function checkOrRepair(
	options: StoreOptions,
): Promise<Repair | undefined> {
	const path = databasePath(options.dir);
	if (!hasContent(path)) return undefined;
	const reason = await damageOf(path, options);
	if (reason === undefined) return undefined;
	if (options.as === "visit") {
		throw new StoreError(
			"damaged",
			`${path} is damaged (${reason}); start the server: it sets the file aside and goes on from the last backup`,
		);
	}
	return setAside(options, reason);
}

async function setAside(
	options: StoreOptions,
	reason: string,
): Promise<Repair> {
	const path = databasePath(options.dir);
	const stamp = new Date().toISOString().replace(/[:.]/g, "-");
	const damagedFile = `${path}.damaged-${stamp}`;
	renameSync(path, damagedFile);
	rmSync(`${path}-lock`, { force: true });
	const backup = backupPath(options.dir);
	const usable =
		hasContent(backup) && (await damageOf(backup, options)) === undefined;
	if (usable) {
		copyFileSync(backup, path);
		chmodSync(path, 0o600);
	}
	return { damagedFile, fromBackup: usable, reason };
}

/** @returns the reason, or undefined for a sound file. Asked twice before a file is given up. @throws StoreError where it can't be told. */
export async function damageOf(
	path: string,
	options: Pick<StoreOptions, "checkCommand">,
): Promise<string | undefined> {
	const first = await checkInChild(path, options);
	return first === undefined ? undefined : checkInChild(path, options);
}

function checkInChild(
	path: string,
	options: Pick<StoreOptions, "checkCommand">,
): Promise<string | undefined> {
	const { file: program, args } =
		options.checkCommand ?? ownCommand("check-store");
	return new Promise((resolve, reject) => {
		const child = spawn(program, [...args, path], {
			stdio: ["ignore", "ignore", "pipe"],
		});
		const timer = setTimeout(() => child.kill("SIGKILL"), checkTimeoutMs);
		let complaint = "";
		child.stderr.on("data", (bytes: Buffer) => {
			if (complaint.length < 4096) complaint += bytes.toString();
		});
		const cannotTell = (why: string) => {
			clearTimeout(timer);
			reject(new StoreError("unavailable", `${path} can't be checked: ${why}`));
		};
		child.on("error", (cause) => cannotTell(cause.message));
		child.on("close", (code, signal) => {
			clearTimeout(timer);
			const said = complaint.trim().split("\n").at(-1) ?? "";
			if (code === 0) resolve(undefined);
			else if (code === damagedExitCode) resolve(said);
			else if (damageSignals.includes(signal))
				resolve(`its reader died of ${signal}`);
			else cannotTell(said || `exit code ${code}, signal ${signal}`);
		});
	});
}

export function hasContent(path: string): boolean {
	return existsSync(path) && statSync(path).size > 0;
}
