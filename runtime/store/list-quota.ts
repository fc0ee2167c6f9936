/**
 * What stored lists of words may take, those of all kinds together: so many of one owner, so many bytes in all, and never what the disk must keep free. Lists of
 * versions that knew no owners count for nobody.
 *
 * INVARIANTS
 * - What does not make a list larger is never refused: an owner who is at a bound can make room.
 * - What is being written counts from before it is written until it is on the disk, and there from then on.
 */
import type { Owner } from "../owner.js";
import { noStorage } from "./disk-quota.js";
import { type FreeBytes, freeBytesOf } from "./disk-room.js";

export interface ListLimits {
	readonly listsPerOwnerMax: number;
	/** Of all lists, as they lie on the disk. */
	readonly bytesMax: number;
	/** Left free on the file system. */
	readonly reserveBytes: number;
}

/** One kind of lists, as it is on the disk. */
export interface CountedLists {
	countOf(owner: Owner): number;
	readonly bytes: number;
}

/** A list that is to be written. */
export interface ListGrowth {
	/** Of one that is new, where somebody makes it. */
	readonly owner?: Owner | undefined;
	/** More than there was of it. */
	readonly bytes: number;
	/** All that is written: what was there before is given up only when that is on the disk. */
	readonly writtenBytes: number;
}

export class ListQuota {
	readonly #limits: ListLimits;
	readonly #folder: string;
	readonly #freeBytes: FreeBytes;
	readonly #kinds: CountedLists[] = [];
	readonly #underWay = new Set<ListGrowth>();

	/** @param folder of the database. */
	constructor(
		limits: ListLimits,
		folder: string,
		freeBytes: FreeBytes = freeBytesOf,
	) {
		this.#limits = limits;
		this.#folder = folder;
		this.#freeBytes = freeBytes;
	}

	/** From now on these count. */
	count(lists: CountedLists): void {
		this.#kinds.push(lists);
	}

	/** @returns what `write` does. @throws CodedError 100004: nothing was written; whatever `write` throws */
	async during<T>(growth: ListGrowth, write: () => Promise<T>): Promise<T> {
		this.#underWay.add(growth); // before the first await: who comes meanwhile counts it
		try {
			if (growth.owner !== undefined) this.#checkCount(growth.owner);
			if (growth.bytes > 0) await this.#checkBytes(growth.writtenBytes);
			return await write();
		} finally {
			this.#underWay.delete(growth);
		}
	}

	#checkCount(owner: Owner): void {
		const { listsPerOwnerMax } = this.#limits;
		let count = 0;
		for (const kind of this.#kinds) count += kind.countOf(owner);
		for (const growth of this.#underWay) if (growth.owner === owner) count++;
		if (count > listsPerOwnerMax)
			throw noStorage(
				"another word list",
				`one caller may have ${listsPerOwnerMax} (limits.lists_per_owner_max); delete some`,
			);
	}

	async #checkBytes(writtenBytes: number): Promise<void> {
		const { bytesMax, reserveBytes } = this.#limits;
		let bytes = 0;
		for (const kind of this.#kinds) bytes += kind.bytes;
		for (const growth of this.#underWay) bytes += Math.max(0, growth.bytes);
		if (bytes > bytesMax)
			throw noStorage(
				"word lists",
				`all together may take ${bytesMax} bytes (limits.lists_megabytes_max); delete some`,
			);
		if ((await this.#freeBytes(this.#folder)) - writtenBytes < reserveBytes)
			throw noStorage(
				"word lists",
				`${reserveBytes} bytes of the disk are kept free (files.disk_reserve_megabytes)`,
			);
	}
}
