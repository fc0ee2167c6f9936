/**
 * How much of the disk audio may take: so many bytes in all, and never what the file system must keep free for the database. Whoever is refused is told that it
 * is the storage, and may come back later: the sweeper makes room.
 */
import { statfs } from "node:fs/promises";
import { CodedError } from "../errors.js";

/** The free space is asked for again after so many bytes: less than any reserve that makes sense. */
const bytesBetweenLooks = 8 * 1024 * 1024;
const retryAfterSeconds = 600;

export interface DiskLimits {
	/** Of all audio together. */
	readonly bytesMax: number;
	/** Left free on the file system. */
	readonly reserveBytes: number;
}

export class DiskQuota {
	readonly #limits: DiskLimits;
	readonly #folder: string;
	readonly #freeBytes: (folder: string) => Promise<number>;
	#bytes: number;
	#bytesSinceLook = Number.POSITIVE_INFINITY;

	/** @param bytes taken so far. */
	constructor(
		limits: DiskLimits,
		folder: string,
		bytes: number,
		freeBytes = freeBytesOf,
	) {
		this.#limits = limits;
		this.#folder = folder;
		this.#bytes = bytes;
		this.#freeBytes = freeBytes;
	}

	get bytes(): number {
		return this.#bytes;
	}

	/** Would so many more be let in? @throws CodedError 100004 */
	async check(bytes: number): Promise<void> {
		const { bytesMax, reserveBytes } = this.#limits;
		if (this.#bytes + bytes > bytesMax)
			throw full(`audio may take ${bytesMax} bytes of the disk`);
		this.#bytesSinceLook = 0;
		const free = await this.#freeBytes(this.#folder);
		if (free - bytes < reserveBytes)
			throw full(`${reserveBytes} bytes of the disk are kept free`);
	}

	/** They are about to be written. @throws CodedError 100004, and they do not count then */
	async take(bytes: number): Promise<void> {
		this.#bytesSinceLook += bytes;
		const looks = this.#bytesSinceLook >= bytesBetweenLooks;
		if (looks) await this.check(bytes);
		else if (this.#bytes + bytes > this.#limits.bytesMax)
			throw full(`audio may take ${this.#limits.bytesMax} bytes of the disk`);
		this.#bytes += bytes;
	}

	give(bytes: number): void {
		this.#bytes -= bytes;
	}
}

/** What a failed write means to whoever sent the bytes. */
export function diskErrorOf(thrown: unknown): unknown {
	const { code } = thrown as NodeJS.ErrnoException;
	return code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG"
		? full("the disk is full", thrown)
		: thrown;
}

function full(why: string, cause?: unknown): CodedError {
	return new CodedError(
		"100004",
		`no storage left for audio: ${why}; delete tasks or try again later`,
		{ retryAfterSeconds, cause },
	);
}

async function freeBytesOf(folder: string): Promise<number> {
	const { bavail, bsize } = await statfs(folder);
	return bavail * bsize;
}
