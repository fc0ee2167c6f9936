/**
 * Adds owner kinds to rows of versions that had none when the server starts, including rows that an older version wrote meanwhile, after a rollback. `owner` is
 * only a name there, which several owners may have had.
 *
 * INVARIANTS
 * - A row that has a kind keeps it. So if this is interrupted, the next start continues.
 * - No owner gets a row that it may not have created: unclear rows are visible to `admin` tokens alone.
 */
import {
	anonymousOwner,
	mqttOwner,
	type OwnerKind,
	ownerParts,
} from "../owner.js";
import type { AppRow } from "./apps.js";
import type { Database, Write } from "./database.js";
import type { StoredOwner } from "./owned-rows.js";
import type { TokenRow } from "./token-row.js";
import { walk, writeAll } from "./walk.js";

export interface OwnerKindsAdded {
	readonly rows: number;
	/** Rows with a name that a token and an application had: they get no owner. */
	readonly unclear: number;
}

/** A row with an owner and its time of creation; other fields are kept. */
type OwnedRow = StoredOwner & {
	/** Of a task. */
	readonly insertSeconds?: number;
	/** Of a recording. */
	readonly createdSeconds?: number;
};

/** Tables with owners in those versions. */
const ownedTables = ["tasks", "recordings"] as const;

/** @param database that nobody else changes meanwhile. @throws StoreError */
export async function addOwnerKinds(
	database: Pick<Database, "table" | "together">,
): Promise<OwnerKindsAdded> {
	let unclear = 0;
	let makers: Makers | undefined;
	async function* changes(): AsyncGenerator<Write[]> {
		for (const name of ownedTables) {
			const table = database.table<OwnedRow>(name);
			for await (const { key, value } of walk(table)) {
				if (value.ownerKind !== undefined) continue;
				makers ??= await Makers.of(database);
				const { kind, isClear } = makers.kindOf(name, value);
				if (!isClear) unclear++;
				yield [table.putting(key, { ...value, ownerKind: kind })];
			}
		}
	}
	const rows = await writeAll(database, changes());
	return { rows, unclear };
}

/** Possible creators by name. */
class Makers {
	/** Names of tokens of the command line. A token is removed a week after its end, while what it created is kept for longer. */
	readonly #tokens = new Set<string>();
	/** Creation time of the first application of each name; applications are never removed. */
	readonly #apps = new Map<string, number>();

	static async of(database: Pick<Database, "table">): Promise<Makers> {
		const makers = new Makers();
		for await (const { value } of walk(database.table<TokenRow>("tokens")))
			if (value.appId === null) makers.#tokens.add(value.name);
		for await (const { value } of walk(database.table<AppRow>("apps")))
			makers.#noteApp(value);
		return makers;
	}

	kindOf(
		table: (typeof ownedTables)[number],
		{ owner, insertSeconds, createdSeconds }: OwnedRow,
	): { kind: OwnerKind; isClear: boolean } {
		const sure = (kind: OwnerKind) => ({ kind, isClear: true });
		if (owner === ownerParts(anonymousOwner).name) return sure("anyone");
		if (table === "tasks" && owner === ownerParts(mqttOwner).name)
			return sure("mqtt");
		const appSeconds = this.#apps.get(owner);
		if (appSeconds === undefined) return sure("token");
		// the application is newer: a token had this name, or a clock was wrong
		const isLater = appSeconds > (insertSeconds ?? createdSeconds ?? 0);
		return isLater || this.#tokens.has(owner)
			? { kind: "anyone", isClear: false }
			: sure("app");
	}

	#noteApp({ name, createdSeconds }: AppRow): void {
		const first = this.#apps.get(name) ?? Number.POSITIVE_INFINITY;
		this.#apps.set(name, Math.min(first, createdSeconds));
	}
}
