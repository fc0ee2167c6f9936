/**
 * Rows of before owners had kinds get theirs when the server starts: also those that an older version wrote meanwhile, where one was put back and taken away
 * again. `owner` is only a name there, and several may have had it.
 *
 * INVARIANTS
 * - A row that has a kind keeps it. So whatever ends this half-way, the next start goes on.
 * - Nothing becomes somebody's who may not have made it: what can't be told is seen by `admin` tokens alone.
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
import type { TokenRow } from "./tokens.js";
import { walk, writeAll } from "./walk.js";

export interface OwnerKindsAdded {
	readonly rows: number;
	/** Of a name that a token and an application had, so of nobody. */
	readonly unclear: number;
}

/** A row with an owner, and when it was made; the rest stays what it is. */
type OwnedRow = StoredOwner & {
	/** Of a task. */
	readonly insertSeconds?: number;
	/** Of a recording. */
	readonly createdSeconds?: number;
};

/** Tables of that time whose rows have owners. */
const ownedTables = ["tasks", "recordings"] as const;

/** @param database whose rows nobody changes meanwhile. @throws StoreError */
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

/** Who may have made what, by name. */
class Makers {
	/** Of the command line. One is forgotten a week after its end, and what it made is kept for longer. */
	readonly #tokens = new Set<string>();
	/** Never forgotten: when the first of a name was made. */
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
		// of an application that came later a token was called so, or a clock was wrong
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
