/**
 * How much of the disk audio may take: so many bytes in all, and never what the file system must keep free for the database. Before anybody is refused, what is
 * only kept and not needed makes room. Whoever is refused is told that it is the storage, and may come back later.
 */
import { CodedError } from "../errors.js";
import { type FreeBytes, freeBytesOf } from "./disk-room.js";
import { StoreError } from "./store-error.js";

/** The free space is asked for again after so many bytes: less than any reserve that makes sense. */
const bytesBetweenLooks = 8 * 1024 * 1024;
const retryAfterSeconds = 600;
/** Room is made for so much at once: it is not looked for again with every piece. */
const roomBytesMin = 64 * 1024 * 1024;

export interface DiskLimits {
	/** Of all audio together. */
	readonly bytesMax: number;
	/** Left free on the file system. */
	readonly reserveBytes: number;
}

/** Removes what is kept without need, and gives its bytes back. */
export type MakeRoom = (bytes: number) => Promise<void>;

export class DiskQuota {
	/** Asked before anybody is refused. */
	makeRoom: MakeRoom = async () => {};
	readonly #limits: DiskLimits;
	readonly #folder: string;
	readonly #freeBytes: FreeBytes;
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
		await this.#check(bytes, bytes);
	}

	/** They are about to be written. @throws CodedError 100004, and they do not count then */
	async take(bytes: number): Promise<void> {
		this.#bytesSinceLook += bytes;
		this.#bytes += bytes; // before the first await: who writes meanwhile counts them
		const looks = this.#bytesSinceLook >= bytesBetweenLooks;
		if (!looks && this.#bytes <= this.#limits.bytesMax) return;
		try {
			await this.#check(0, bytes);
		} catch (thrown) {
			this.give(bytes);
			throw thrown;
		}
	}

	give(bytes: number): void {
		this.#bytes -= bytes;
	}

	/** @param uncounted bytes that do not count yet. @param unwritten bytes that are not on the disk yet. */
	async #check(uncounted: number, unwritten: number): Promise<void> {
		if ((await this.#whyFull(uncounted, unwritten)) === undefined) return;
		await this.makeRoom(Math.max(unwritten, roomBytesMin));
		const why = await this.#whyFull(uncounted, unwritten);
		if (why !== undefined) throw noAudioStorage(why);
	}

	async #whyFull(
		uncounted: number,
		unwritten: number,
	): Promise<string | undefined> {
		const { bytesMax, reserveBytes } = this.#limits;
		if (this.#bytes + uncounted > bytesMax)
			return `audio may take ${bytesMax} bytes of the disk`;
		this.#bytesSinceLook = 0;
		const free = await this.#freeBytes(this.#folder);
		return free - unwritten < reserveBytes
			? `${reserveBytes} bytes of the disk are kept free`
			: undefined;
	}
}

/** What a failed write of audio means to whoever sent the bytes. */
export function diskErrorOf(thrown: unknown): unknown {
	const { code } = thrown as NodeJS.ErrnoException;
	return code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG"
		? noAudioStorage("the disk is full", thrown)
		: thrown;
}

/** What a write to the database that found no room means to whoever asked for it. */
export function storageErrorOf(thrown: unknown): unknown {
	return thrown instanceof StoreError && thrown.trouble === "full"
		? noStorage("the request", "the disk is full", thrown)
		: thrown;
}

function noAudioStorage(why: string, cause?: unknown): CodedError {
	return noStorage("audio", `${why}; delete tasks or try again later`, cause);
}

/** @param what somebody wants to store. */
export function noStorage(
	what: string,
	why: string,
	cause?: unknown,
): CodedError {
	return new CodedError("100004", `no storage left for ${what}: ${why}`, {
		retryAfterSeconds,
		cause,
	});
}
