/**
 * Access tokens. A token is 256 random bits that only its owner knows: its SHA-256 is the key of its row, so a stolen database opens no door.
 */
import { createHash, randomBytes } from "node:crypto";
import { type Owner, ownerOf } from "../owner.js";
import type { Database, Table } from "./database.js";

export const scopes = ["asr", "hotwords", "files", "admin"] as const;
export type Scope = (typeof scopes)[number];

export interface TokenRow {
	/** Short and public: for lists and `token revoke`. */
	readonly id: string;
	/** The application's, where it is one's. */
	readonly name: string;
	readonly scopes: readonly Scope[];
	/** Unix times in seconds; the fraction tells which of two came first. */
	readonly createdSeconds: number;
	readonly expiresSeconds: number;
	readonly revokedSeconds: number | null;
	/** The application that asked for it, or null for the command line. */
	readonly appId: string | null;
}

/** Whose what is done with it: a token of an application does it for that one. */
export function tokenOwner({ appId, name }: TokenRow): Owner {
	return ownerOf(appId === null ? "token" : "app", name);
}

export interface NewToken {
	readonly name: string;
	readonly scopes: readonly Scope[];
	readonly nowSeconds: number;
	readonly ttlSeconds: number;
	readonly appId?: string;
}

export interface IssuedToken {
	/** Shown once, kept nowhere. */
	readonly token: string;
	readonly row: TokenRow;
}

export class TokenRepository {
	readonly #rows: Table<TokenRow>;

	constructor(database: Database) {
		this.#rows = database.table("tokens");
	}

	async create(asked: NewToken): Promise<IssuedToken> {
		const token = randomBytes(32).toString("base64url");
		const row: TokenRow = {
			id: randomBytes(6).toString("hex"),
			name: asked.name,
			scopes: asked.scopes,
			createdSeconds: asked.nowSeconds,
			expiresSeconds: asked.nowSeconds + asked.ttlSeconds,
			revokedSeconds: null,
			appId: asked.appId ?? null,
		};
		await this.#rows.put(hashOf(token), row);
		return { token, row };
	}

	/** The row of a token that is neither revoked nor expired. */
	findValid(token: string, nowSeconds: number): TokenRow | undefined {
		const row = this.#rows.get(hashOf(token));
		if (!row || row.revokedSeconds !== null) return undefined;
		return nowSeconds < row.expiresSeconds ? row : undefined;
	}

	/** Oldest first. */
	list(): TokenRow[] {
		return [...this.#rows.rows()]
			.map((it) => it.value)
			.sort((a, b) => a.createdSeconds - b.createdSeconds);
	}

	isEmpty(): boolean {
		return this.#rows.isEmpty();
	}

	/** Every token with this name or id that still works. @returns how many were revoked. */
	async revoke(nameOrId: string, nowSeconds: number): Promise<number> {
		return this.#revokeWhere(
			(row) => row.name === nameOrId || row.id === nameOrId,
			nowSeconds,
		);
	}

	/** Every token that an application asked for. */
	async revokeOfApp(appId: string, nowSeconds: number): Promise<number> {
		return this.#revokeWhere((row) => row.appId === appId, nowSeconds);
	}

	async #revokeWhere(
		matches: (row: TokenRow) => boolean,
		nowSeconds: number,
	): Promise<number> {
		const found = [...this.#rows.rows()].filter(
			({ value }) => value.revokedSeconds === null && matches(value),
		);
		await Promise.all(
			found.map(({ key, value }) =>
				this.#rows.putOver(key, { ...value, revokedSeconds: nowSeconds }),
			),
		);
		return found.length;
	}

	/** Forgets tokens that expired before a time. @returns how many. */
	async removeExpired(beforeSeconds: number): Promise<number> {
		const dead = [...this.#rows.rows()].filter(
			({ value }) => value.expiresSeconds < beforeSeconds,
		);
		await Promise.all(dead.map(({ key }) => this.#rows.remove(key)));
		return dead.length;
	}
}

function hashOf(token: string): string {
	return createHash("sha256").update(token).digest("hex");
}
