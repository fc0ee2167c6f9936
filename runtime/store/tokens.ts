/**
 * Access tokens. A token is 256 random bits that only its owner knows (or what an operator has chosen): its SHA-256 is the key of its row, so a stolen database
 * gives no access.
 *
 * INVARIANTS
 * - A token of an application is valid no longer than the application: revoking it writes one row, however many tokens it has.
 * - The live tokens of one application are counted without reading any other (token-index.ts).
 * - A session of the console is valid no longer than the token that it was made from, and makes no other. A token has few of them.
 */
import { randomBytes } from "node:crypto";
import type { AppRepository } from "./apps.js";
import type { Database, Table, Write } from "./database.js";
import { tokenHash } from "./token-hash.js";
import { TokenIndex } from "./token-index.js";
import {
	type NewToken,
	type Now,
	newTokenRow,
	nowFor,
	type TokenRow,
} from "./token-row.js";
import { walk, writeAll } from "./walk.js";

export interface IssuedToken {
	/** Shown once, stored nowhere. */
	readonly token: string;
	readonly row: TokenRow;
}

/** Enough for everybody who signs in with one token; another session ends the oldest. */
const sessionsMax = 50;

export class TokenRepository {
	readonly #database: Database;
	readonly #apps: Pick<AppRepository, "find">;
	readonly #rows: Table<TokenRow>;
	readonly #index: TokenIndex;

	constructor(database: Database, apps: Pick<AppRepository, "find">) {
		this.#database = database;
		this.#apps = apps;
		this.#rows = database.table("tokens");
		this.#index = new TokenIndex(database);
	}

	async create(request: NewToken): Promise<IssuedToken> {
		const token = newSecret();
		const row = newTokenRow(request);
		await this.#database.together(this.#puttingNew(tokenHash(token), row));
		return { token, row };
	}

	/**
	 * Takes a token that somebody else has made; it must be as hard to guess. It is no application's.
	 * @returns undefined where there is such a token already, in force or not; what has ended is forgotten by the housekeeping. @throws StoreError
	 */
	async adopt(
		token: string,
		request: Omit<NewToken, "appId">,
	): Promise<TokenRow | undefined> {
		const row = newTokenRow(request);
		const isNew = await this.#rows.putNew(tokenHash(token), row);
		return isNew ? row : undefined;
	}

	/**
	 * A session of the console: a token of its own with what this one may do, for a browser's cookie. Where the token has too many, its oldest end.
	 * @returns undefined where the token is not valid, or is a session itself. @throws StoreError
	 */
	async createSession(
		token: string,
		now: Now,
		request: Pick<NewToken, "nowSeconds" | "operatingSeconds" | "ttlSeconds">,
	): Promise<IssuedToken | undefined> {
		const parent = this.findValid(token, now);
		if (!parent || parent.sessionOf !== undefined) return undefined;
		const { id: parentId, name, scopes, appId, expiresSeconds } = parent;
		const sessionOf = tokenHash(token);
		const session = newSecret();
		const made = newTokenRow({ ...request, name, scopes, appId });
		const row: TokenRow = {
			...made,
			expiresSeconds: Math.min(made.expiresSeconds, expiresSeconds),
			sessionOf,
			parentId,
		};
		await this.#database.together([
			...this.#endingOldest(sessionOf),
			...this.#puttingNew(tokenHash(session), row),
		]);
		return { token: session, row };
	}

	/** Removes a session of the console; of no effect on anything else. @throws StoreError */
	async endSession(session: string): Promise<void> {
		const key = tokenHash(session);
		const row = this.#rows.get(key);
		if (row?.sessionOf === undefined) return;
		await this.#database.together(this.#removing(key, row));
	}

	/** @returns undefined for a revoked or expired token. */
	findValid(token: string, now: Now): TokenRow | undefined {
		const row = this.#rows.get(tokenHash(token));
		if (!row || !this.#isInForce(row, now)) return undefined;
		if (row.sessionOf === undefined) return row;
		const parent = this.#rows.get(row.sessionOf);
		return parent && this.#isInForce(parent, now) ? row : undefined;
	}

	#isInForce(row: TokenRow, now: Now): boolean {
		if (this.#revokedSeconds(row) !== null) return false;
		return nowFor(row, now) < row.expiresSeconds;
	}

	/** Number of an application's tokens that are neither revoked nor expired. */
	countOfApp(appId: string, nowSeconds: number): number {
		return this.#index.countOfApp(appId, nowSeconds);
	}

	/** Oldest first; those of revoked applications as revoked. For the command line: all rows are read at once. */
	list(): TokenRow[] {
		return [...this.#rows.rows()]
			.map(({ value }) => ({
				...value,
				revokedSeconds: this.#revokedSeconds(value),
			}))
			.sort((a, b) => a.createdSeconds - b.createdSeconds);
	}

	/** As `list`, newest first, without holding the event loop. */
	async all(): Promise<TokenRow[]> {
		const rows: TokenRow[] = [];
		for await (const { value } of walk(this.#rows))
			rows.push({ ...value, revokedSeconds: this.#revokedSeconds(value) });
		return rows.sort((a, b) => b.createdSeconds - a.createdSeconds);
	}

	isEmpty(): boolean {
		return this.#rows.isEmpty();
	}

	/** Revokes every valid token with this name or id. @returns how many were revoked. @throws StoreError */
	revoke(nameOrId: string, nowSeconds: number): Promise<number> {
		const isSelected = (row: TokenRow) =>
			(row.name === nameOrId || row.id === nameOrId) &&
			this.#revokedSeconds(row) === null;
		return writeAll(this.#database, this.#revocations(isSelected, nowSeconds));
	}

	/**
	 * Marks the tokens of a revoked application as revoked, for versions that only check the token: one may be reinstalled over this store
	 * (`earshot update --rollback`).
	 * @returns how many there were. @throws StoreError
	 */
	noteRevokedApp(appId: string, nowSeconds: number): Promise<number> {
		const isSelected = (row: TokenRow) =>
			row.appId === appId && row.revokedSeconds === null;
		return writeAll(this.#database, this.#revocations(isSelected, nowSeconds));
	}

	/**
	 * Removes expired tokens of applications, sessions that have ended, and others `keepSeconds` after they expired or were revoked.
	 * @returns how many. @throws StoreError
	 */
	removeDead(now: Now, keepSeconds: number): Promise<number> {
		return writeAll(this.#database, this.#removals(now, keepSeconds));
	}

	async *#revocations(
		isSelected: (row: TokenRow) => boolean,
		nowSeconds: number,
	): AsyncGenerator<Write[]> {
		for await (const { key, value } of walk(this.#rows)) {
			if (!isSelected(value)) continue;
			const revoked = { ...value, revokedSeconds: nowSeconds };
			yield [
				this.#rows.puttingOver(key, revoked),
				...this.#index.removing(key, value),
			];
		}
	}

	async *#removals(now: Now, keepSeconds: number): AsyncGenerator<Write[]> {
		for await (const { key, value } of walk(this.#rows)) {
			const { expiresSeconds, appId, sessionOf } = value;
			const revokedSeconds = this.#revokedSeconds(value);
			const keptSeconds = sessionOf === undefined ? keepSeconds : 0;
			const untilSeconds = Math.min(
				expiresSeconds + (appId === null ? keptSeconds : 0),
				(revokedSeconds ?? Number.POSITIVE_INFINITY) + keptSeconds,
			);
			if (untilSeconds < nowFor(value, now)) yield this.#removing(key, value);
		}
	}

	/** Makes room for another session of a token. */
	#endingOldest(parent: string): Write[] {
		const { writes, hashes } = this.#index.forgettingOldest(
			parent,
			sessionsMax - 1,
		);
		return [...writes, ...hashes.map((it) => this.#rows.removing(it))];
	}

	#puttingNew(key: string, row: TokenRow): Write[] {
		return [this.#rows.putting(key, row), ...this.#index.putting(key, row)];
	}

	#removing(key: string, row: TokenRow): Write[] {
		return [this.#rows.removing(key), ...this.#index.removing(key, row)];
	}

	#revokedSeconds(row: TokenRow): number | null {
		const { revokedSeconds, appId, createdSeconds, sessionOf } = row;
		if (revokedSeconds !== null) return revokedSeconds;
		if (sessionOf !== undefined) {
			const parent = this.#rows.get(sessionOf);
			return parent ? this.#revokedSeconds(parent) : createdSeconds;
		}
		if (appId === null) return null;
		const app = this.#apps.find(appId);
		return app ? app.revokedSeconds : createdSeconds; // without its application a token is revoked
	}
}

/** 256 random bits, as text. */
function newSecret(): string {
	return randomBytes(32).toString("base64url");
}
