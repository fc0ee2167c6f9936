/**
 * Finds the tokens of one application, and the sessions of one token, without reading any other: each has a row in an index, written and removed together with
 * its own. Tokens of the command line and of administrators have none.
 */
import type { Database, Table, Write } from "./database.js";
import type { KeyRange } from "./table.js";

/** What is indexed of a token's row. */
interface IndexedToken {
	readonly appId: string | null;
	readonly sessionOf?: string;
	readonly createdSeconds: number;
	readonly expiresSeconds: number;
}

/** Value of an index row: all information is in its key. */
type Indexed = true;

const secondsDigits = 12;
const msDigits = 15;

export class TokenIndex {
	/** `application/expiry/hash`; of sessions `hash of their token/creation/hash`, which looks like no application's. */
	readonly #keys: Table<Indexed>;

	constructor(database: Database) {
		this.#keys = database.table("tokens.of-apps");
	}

	/** @param hash the key of the token's row */
	putting(hash: string, row: IndexedToken): Write[] {
		return keysOf(hash, row).map((it) => this.#keys.putting(it, true));
	}

	removing(hash: string, row: IndexedToken): Write[] {
		return keysOf(hash, row).map((it) => this.#keys.removing(it));
	}

	/** Number of an application's tokens that are neither revoked nor expired. */
	countOfApp(appId: string, nowSeconds: number): number {
		return this.#keys.count({
			from: `${appId}/${digits(nowSeconds + 1, secondsDigits)}`, // those of this second have expired
			before: `${appId}0`,
		});
	}

	/** Forgets the oldest sessions of a token but `keptMax`. @returns also their hashes */
	forgettingOldest(
		sessionOf: string,
		keptMax: number,
	): { readonly writes: Write[]; readonly hashes: string[] } {
		const all: KeyRange = { from: `${sessionOf}/`, before: `${sessionOf}0` };
		const count = this.#keys.count(all) - keptMax;
		const keys = count > 0 ? this.#keys.keys(all, count) : [];
		return {
			writes: keys.map((it) => this.#keys.removing(it)),
			hashes: keys.map((it) => it.slice(it.lastIndexOf("/") + 1)),
		};
	}
}

/** One key, or none. */
function keysOf(hash: string, row: IndexedToken): string[] {
	const { appId, sessionOf, createdSeconds, expiresSeconds } = row;
	if (sessionOf !== undefined)
		return [`${sessionOf}/${digits(createdSeconds * 1000, msDigits)}/${hash}`];
	if (appId === null) return [];
	return [`${appId}/${digits(expiresSeconds, secondsDigits)}/${hash}`];
}

function digits(time: number, count: number): string {
	return String(Math.floor(time)).padStart(count, "0");
}
