/**
 * Opens the store of a state directory: checks the file in a child process, moves a damaged file aside, and continues with the last backup or an empty
 * database. A file that is missing or empty beside a backup counts as damaged: a new directory has no backup. Only the server repairs; the command line reports
 * damage, and trusts the check of a running server.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { AppRepository } from "./apps.js";
import { ClockRepository } from "./clock-state.js";
import { type CheckOptions, damageOf } from "./damage-check.js";
import { notReplacedPath, removeOlder, replacedPath } from "./damaged-files.js";
import { Database, type DatabaseOptions } from "./database.js";
import { DeviceProfileRepository } from "./device-profile.js";
import { type ListLimits, ListQuota } from "./list-quota.js";
import { MicrophoneMutes } from "./microphone-mutes.js";
import { NonceRepository } from "./nonces.js";
import { addOwnerKinds, type OwnerKindsAdded } from "./owner-kinds.js";
import { PairingRepository } from "./pairings.js";
import { RecordingRepository } from "./recordings.js";
import { replaceDatabase } from "./replacement.js";
import { isServed, lockStateDir, makeStateDir } from "./state-dir.js";
import {
	backupPath,
	clearSuspicion,
	databasePath,
	hasContent,
	isSuspect,
	suspect,
} from "./state-files.js";
import { isDamage, StoreError } from "./store-error.js";
import { TokenUses } from "./token-uses.js";
import { TokenRepository } from "./tokens.js";
import { WordListRepository } from "./word-lists.js";

/** Tables with more in large rows are left to the daily backup, which reads every row of its copy. */
const largeBytesMax = 16 * 1024 * 1024;

export interface Store {
	readonly database: Database;
	readonly tokens: TokenRepository;
	readonly tokenUses: TokenUses;
	readonly apps: AppRepository;
	readonly pairings: PairingRepository;
	readonly profile: DeviceProfileRepository;
	readonly mutes: MicrophoneMutes;
	readonly nonces: NonceRepository;
	readonly hotwords: WordListRepository;
	readonly correctionWords: WordListRepository;
	readonly forbiddenWords: WordListRepository;
	readonly recordings: RecordingRepository;
	readonly clock: ClockRepository;
	/** Where a damaged file was moved, if there was one, and whether a backup replaced it. */
	readonly repaired: Repair | undefined;
	/** Changes that the start made to rows of older versions; undefined for a visit. */
	readonly ownerKindsAdded: OwnerKindsAdded | undefined;
	close(): Promise<void>;
}

export interface Repair {
	readonly damagedFile: string | undefined;
	readonly fromBackup: boolean;
	readonly reason: string;
}

export interface StoreOptions
	extends Pick<DatabaseOptions, "commitDeadlineMs" | "onStuck">,
		Omit<CheckOptions, "largeBytesMax"> {
	/** The state directory. */
	readonly dir: string;
	/** `serve`: the one server of this directory, which may move a damaged file aside. `visit`: a short access beside it. */
	readonly as: "serve" | "visit";
	/** Limits of word lists; absent: unlimited. */
	readonly lists?: ListLimits;
}

/** @throws StoreError */
export async function openStore(options: StoreOptions): Promise<Store> {
	const { dir } = options;
	makeStateDir(dir);
	if (options.as === "visit") {
		if (!isServed(dir)) await refuseDamaged(options);
		return storeOf(openDatabase(options), options, { close: () => {} });
	}
	const { unlock, noteChecked } = lockStateDir(dir);
	try {
		const repaired = await checkOrRepair(options);
		const database = openDatabase(options);
		noteChecked();
		const ownerKindsAdded = await migrated(database);
		const store = storeOf(database, options, {
			repaired,
			ownerKindsAdded,
			close: unlock,
		});
		await loadLists(store);
		return store;
	} catch (thrown) {
		unlock();
		throw thrown;
	}
}

interface Circumstances {
	readonly repaired?: Repair | undefined;
	readonly ownerKindsAdded?: OwnerKindsAdded;
	/** Called after the database is closed. */
	readonly close: () => void;
}

/** @throws StoreError; the database is closed then. */
async function loadLists(store: Store): Promise<void> {
	try {
		await store.hotwords.load();
		await store.correctionWords.load();
		await store.forbiddenWords.load();
	} catch (thrown) {
		await store.database.close();
		throw thrown;
	}
}

function storeOf(
	database: Database,
	{ dir, lists }: StoreOptions,
	{ repaired, ownerKindsAdded, close }: Circumstances,
): Store {
	const apps = new AppRepository(database);
	const quota = lists && new ListQuota(lists, dir);
	return {
		database,
		repaired,
		ownerKindsAdded,
		tokens: new TokenRepository(database, apps),
		tokenUses: new TokenUses(database),
		apps,
		pairings: new PairingRepository(database),
		profile: new DeviceProfileRepository(database),
		mutes: new MicrophoneMutes(database),
		nonces: new NonceRepository(database),
		hotwords: new WordListRepository(database, "hotwords", quota),
		correctionWords: new WordListRepository(
			database,
			"correction-words",
			quota,
		),
		forbiddenWords: new WordListRepository(database, "forbidden-words", quota),
		recordings: new RecordingRepository(database),
		clock: new ClockRepository(database),
		close: async () => {
			await database.close();
			close();
		},
	};
}

function openDatabase(options: StoreOptions): Database {
	const { dir } = options;
	return Database.open(databasePath(dir), {
		...options,
		onDamage: () => suspect(dir),
	});
}

/** @throws StoreError; the database is closed then. */
async function migrated(database: Database): Promise<OwnerKindsAdded> {
	try {
		return await addOwnerKinds(database);
	} catch (thrown) {
		await database.close();
		throw thrown;
	}
}

/** @throws StoreError damaged */
async function refuseDamaged(options: StoreOptions): Promise<void> {
	const reason = await damageAtStart(options);
	if (reason === undefined) return;
	throw new StoreError(
		"damaged",
		`${databasePath(options.dir)} is damaged (${reason}); start the server: it moves the file aside and restores the last backup`,
	);
}

async function checkOrRepair(
	options: StoreOptions,
): Promise<Repair | undefined> {
	const reason = await damageAtStart(options);
	const repair =
		reason === undefined ? undefined : await setAside(options, reason);
	clearSuspicion(options.dir); // it has been checked
	return repair;
}

async function damageAtStart(
	options: StoreOptions,
): Promise<string | undefined> {
	const { dir } = options;
	const path = databasePath(dir);
	if (!hasContent(path))
		return hasContent(backupPath(dir))
			? "it is missing or empty, while there is a backup of it"
			: undefined;
	return damageOf(
		path,
		isSuspect(dir) ? options : { ...options, largeBytesMax },
	);
}

async function setAside(
	options: StoreOptions,
	reason: string,
): Promise<Repair> {
	const { dir } = options;
	const path = databasePath(dir);
	const wasThere = existsSync(path);
	let aside = replacedPath(dir);
	const fromBackup = await restoreFromBackup(options, aside);
	if (fromBackup) removeOlder(dir, aside);
	else {
		aside = notReplacedPath(dir);
		if (wasThere) renameSync(path, aside);
	}
	rmSync(`${path}-lock`, { force: true });
	return { damagedFile: wasThere ? aside : undefined, fromBackup, reason };
}

/** @returns false where there is no sound backup. @throws StoreError full: nothing has changed then */
async function restoreFromBackup(
	options: StoreOptions,
	aside: string,
): Promise<boolean> {
	const { dir } = options;
	const file = backupPath(dir);
	if (!hasContent(file)) return false;
	try {
		await replaceDatabase({
			dir,
			file,
			what: `${databasePath(dir)} is damaged, and its backup can't be restored`,
			aside,
			check: options,
		});
		return true;
	} catch (thrown) {
		if (isDamage(thrown)) return false;
		throw thrown;
	}
}
