/**
 * Limits the disk space for audio: a maximum for all of it, and a reserve that the file system must keep free for the database. Before a write is refused,
 * stored audio that is not needed is deleted. A refused client gets the reason (storage) and may retry later.
 */
import { isDiskFull } from "../disk/full-disk.js";
import { CodedError } from "../errors.js";
import { type FreeBytes, freeBytesOf } from "./disk-room.js";
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

/** Deletes audio that is not needed, and gives its bytes back. */
export type MakeRoom = (bytes: number) => Promise<void>;

export class DiskQuota {
	/** Called before a write is refused. */
	makeRoom: MakeRoom = async () => {};
	readonly #limits: DiskLimits;
	readonly #folder: string;
	readonly #freeBytes: FreeBytes;
	#bytes: number;
	#bytesSinceCheck = Number.POSITIVE_INFINITY;

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
		await this.#check(bytes, bytes);
	}

	/** Counts bytes that are about to be written. @throws CodedError 100004; they are not counted then */
	async take(bytes: number): Promise<void> {
		this.#bytesSinceCheck += bytes;
		this.#bytes += bytes; // before the first await: concurrent writes must count them
		const isCheckDue = this.#bytesSinceCheck >= bytesBetweenChecks;
		if (!isCheckDue && this.#bytes <= this.#limits.bytesMax) return;
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

	/** @param uncounted bytes that are not counted yet. @param unwritten bytes that are not on the disk yet. */
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
			return `audio is limited to ${bytesMax} bytes of the disk`;
		this.#bytesSinceCheck = 0;
		const free = await this.#freeBytes(this.#folder);
		return free - unwritten < reserveBytes
			? `${reserveBytes} bytes of the disk are kept free`
			: undefined;
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
