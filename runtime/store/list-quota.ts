/**
 * Limits stored word lists, of all kinds together: the number per owner, the bytes in total, and the free space that the disk must keep. Lists of versions
 * without owners count for nobody.
 *
 * INVARIANTS
 * - A change that does not make a list larger is never refused: an owner at the limit can free space.
 * - A write counts from before it begins until it is on the disk, and by its stored size from then on.
 */

import { type FreeBytes, freeBytesOf } from "../disk/free-bytes.js";
import type { Owner } from "../owner.js";
import { noStorage, requireReserve } from "./disk-quota.js";

export interface ListLimits {
	readonly listsPerOwnerMax: number;
	/** Of all lists, as stored on the disk. */
	readonly bytesMax: number;
	/** Left free on the file system. */
	readonly reserveBytes: number;
}

/** One kind of list, as stored on the disk. */
export interface CountedLists {
	countOf(owner: Owner): number;
	readonly bytes: number;
}

/** A write of a list. */
export interface ListGrowth {
	/** Owner of a new list, if any. */
	readonly owner?: Owner | undefined;
	/** Growth of the list. */
	readonly bytes: number;
	/** Size of the write: the previous entries are only freed once it is on the disk. */
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

	/** Includes these lists in the count. */
	count(lists: CountedLists): void {
		this.#kinds.push(lists);
	}

	/** @returns the result of `write`. @throws CodedError 100004: nothing was written; errors of `write` */
	async during<T>(growth: ListGrowth, write: () => Promise<T>): Promise<T> {
		this.#underWay.add(growth); // before the first await: concurrent writes must count it
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
				`all lists together may take at most ${bytesMax} bytes (limits.lists_megabytes_max); delete some`,
			);
		await requireReserve("word lists", writtenBytes, {
			folder: this.#folder,
			reserveBytes,
			freeBytes: this.#freeBytes,
		});
	}
}
