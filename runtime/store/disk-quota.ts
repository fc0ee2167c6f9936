/**
 * Limits the disk space for audio: a maximum for all of it, and a reserve that the file system must keep free for the database. Before a write is refused,
 * stored audio that is not needed is deleted: as much as is missing, and nothing where all of it would not be enough. A refused client gets the reason
 * (storage) and may retry later.
 */

import { type FreeBytes, freeBytesOf } from "../disk/free-bytes.js";
import { isDiskFull } from "../disk/full-disk.js";
import { CodedError } from "../errors.js";
import { StoreError } from "./store-error.js";

/** The free space is read again after this many bytes: less than any sensible reserve. */
const bytesBetweenChecks = 8 * 1024 * 1024;
const retryAfterSeconds = 600;
/** Minimum space freed at once, so that it is not searched for again with every piece. */
const roomBytesMin = 64 * 1024 * 1024;

export interface DiskLimits {
	/** For all audio together. */
	readonly bytesMax: number;
	/** Left free on the file system. */
	readonly reserveBytes: number;
}

/** Deletes audio that is not needed, and gives its bytes back; none where there is less than `bytesMin` of it. One call at a time. */
export type MakeRoom = (bytes: number, bytesMin: number) => Promise<void>;

interface Shortage {
	readonly why: string;
	/** That would have to be deleted. */
	readonly bytes: number;
}

export class DiskQuota {
	/** Called before a write is refused. */
	makeRoom: MakeRoom = async () => {};
	readonly #limits: DiskLimits;
	readonly #folder: string;
	readonly #freeBytes: FreeBytes;
	#bytes: number;
	#bytesSinceCheck = Number.POSITIVE_INFINITY;
	#turn: Promise<unknown> = Promise.resolve();

	/** @param bytes already in use. */
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

	/** Checks whether this many bytes more would be accepted. @throws CodedError 100004 */
	async check(bytes: number): Promise<void> {
		await this.#check(bytes, false);
	}

	/** Counts bytes that are about to be written. @throws CodedError 100004; they are not counted then */
	async take(bytes: number): Promise<void> {
		this.#bytesSinceCheck += bytes;
		this.#bytes += bytes; // before the first await: concurrent writes must count them
		const isCheckDue = this.#bytesSinceCheck >= bytesBetweenChecks;
		if (!isCheckDue && this.#bytes <= this.#limits.bytesMax) return;
		await this.#check(bytes, true);
	}

	give(bytes: number): void {
		this.#bytes -= bytes;
	}

	/** @param bytes that are not on the disk yet. @param areCounted they are given back if they are refused. */
	async #check(bytes: number, areCounted: boolean): Promise<void> {
		const refuse = (thrown: unknown) => {
			if (areCounted) this.give(bytes);
			throw thrown;
		};
		const short = await this.#shortage(bytes, areCounted).catch(refuse);
		if (!short) return;
		const mine = this.#turn
			.then(() => this.#makeRoomFor(bytes, areCounted))
			.catch(refuse);
		this.#turn = mine.catch(() => {});
		await mine;
	}

	/** In turn: whoever was first may have made room for all. */
	async #makeRoomFor(bytes: number, areCounted: boolean): Promise<void> {
		const short = await this.#shortage(bytes, areCounted);
		if (!short) return;
		if (short.bytes <= this.#bytes)
			await this.makeRoom(Math.max(short.bytes, roomBytesMin), short.bytes);
		const still = await this.#shortage(bytes, areCounted);
		if (still) throw noAudioStorage(still.why);
	}

	async #shortage(
		bytes: number,
		areCounted: boolean,
	): Promise<Shortage | undefined> {
		const { bytesMax, reserveBytes } = this.#limits;
		this.#bytesSinceCheck = 0;
		const free = await this.#freeBytes(this.#folder);
		const overLimit = this.#bytes + (areCounted ? 0 : bytes) - bytesMax;
		const underReserve = reserveBytes - (free - bytes);
		const missing = Math.max(overLimit, underReserve);
		if (missing <= 0) return undefined;
		return {
			why:
				overLimit > 0
					? `audio is limited to ${bytesMax} bytes of the disk`
					: `${reserveBytes} bytes of the disk are kept free`,
			bytes: missing,
		};
	}
}

/** A write beside the audio. @param what is written, for people. @throws CodedError 100004 where less than the reserve would stay free */
export async function requireReserve(
	what: string,
	writtenBytes: number,
	reserve: {
		readonly folder: string;
		readonly reserveBytes: number;
		readonly freeBytes?: FreeBytes;
	},
): Promise<void> {
	const { folder, reserveBytes, freeBytes = freeBytesOf } = reserve;
	if ((await freeBytes(folder)) - writtenBytes < reserveBytes)
		throw noStorage(
			what,
			`${reserveBytes} bytes of the disk are kept free (files.disk_reserve_megabytes)`,
		);
}

/** Converts a failed write of audio to an error for the client. */
export function diskErrorOf(thrown: unknown): unknown {
	const { code } = thrown as NodeJS.ErrnoException;
	return isDiskFull(thrown) || code === "EFBIG"
		? noAudioStorage("the disk is full", thrown)
		: thrown;
}

/** Converts a failed write to the database for lack of space to an error for the client. */
export function storageErrorOf(thrown: unknown): unknown {
	return thrown instanceof StoreError && thrown.trouble === "full"
		? noStorage("the request", "the disk is full", thrown)
		: thrown;
}

function noAudioStorage(why: string, cause?: unknown): CodedError {
	return noStorage("audio", `${why}; delete tasks or try again later`, cause);
}

/** @param what was to be stored. */
export function noStorage(
	what: string,
	why: string,
	cause?: unknown,
): CodedError {
	return new CodedError("100004", `no storage left for ${what}: ${why}`, {
		retryAfterSeconds,
		retry: "never",
		cause,
	});
}
