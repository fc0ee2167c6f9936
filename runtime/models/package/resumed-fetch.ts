/**
 * A file from a server into a file that grows: what broke off is gone on with, now or by the next call. Whether it is the right one is for whoever asked to
 * say; it is never larger than allowed.
 */
import { open, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { writeAll } from "../../disk/whole-file.js";
import { PackageError } from "./model-package.js";
import { asPackageError, freeBytes, refuseMoreThan } from "./placing.js";

/** How long a file is, as far as that is known. */
export interface ExpectedLength {
	/** Undefined: what the server says, `bytesMax` at most. */
	readonly bytes?: number;
	readonly bytesMax: number;
	/** Who promised: "the catalogue". */
	readonly promisedBy: string;
}

export interface ResumeOptions {
	/** Where it grows. */
	readonly directory: string;
	readonly onBytes?: (bytes: number) => void;
	/** How large the file is, once that is known. */
	readonly onTotal?: (bytes: number) => void;
	readonly signal?: AbortSignal;
	/** The first pause after a connection broke; doubles each time. */
	readonly pauseMs?: number;
	/** A server that says nothing for so long is gone. */
	readonly stallMsMax?: number;
}

/** In a row, without a byte between them. */
const triesMax = 6;
const pauseMsDefault = 500;
const stallMsDefault = 30_000;
/** A server is asked for what lies behind the end of a file: there is nothing more. */
const nothingMore = 416;

/** @param part grows, and is kept when this throws. @throws PackageError */
export async function fetchInto(
	part: string,
	url: string,
	expected: ExpectedLength,
	options: ResumeOptions,
): Promise<void> {
	const { directory, signal } = options;
	let pauseMs = options.pauseMs ?? pauseMsDefault;
	for (let tries = 1; ; tries++) {
		signal?.throwIfAborted();
		const before = await sizeOf(part);
		try {
			await fetchRest(url, part, expected, options);
			return;
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			const isFull = code === "ENOSPC" || code === "EDQUOT";
			if (isFull || (await sizeOf(part)) === 0) await rm(part, { force: true });
			if (isFull || signal?.aborted || error instanceof PackageError)
				throw asPackageError(error, directory);
			if ((await sizeOf(part)) > before) tries = 0;
			if (tries >= triesMax)
				throw new PackageError(
					`${url} can't be fetched: ${reasonOf(error)}; what came is kept, and gone on with the next time`,
				);
			await sleep(pauseMs, undefined, { signal }).catch(() => {});
			pauseMs *= tries === 0 ? 1 : 2;
		}
	}
}

async function fetchRest(
	url: string,
	part: string,
	{ bytes, bytesMax, promisedBy }: ExpectedLength,
	options: ResumeOptions,
): Promise<void> {
	const { signal, onBytes, stallMsMax = stallMsDefault } = options;
	const tooLarge = (most: number) =>
		new PackageError(
			`${url} is larger than ${bytes === undefined ? "it may be" : `${promisedBy} says`} (${most} bytes)`,
		);
	let at = await sizeOf(part);
	if (at === bytes && bytes > 0) return;
	// before it is asked: what a server said before it went is lost to whoever waits for something else first
	const free = await freeBytes(options.directory);
	const stalled = new AbortController();
	let timer = setTimeout(() => stalled.abort(), stallMsMax);
	const signals = [stalled.signal, ...(signal ? [signal] : [])];
	const file = await open(part, "a", 0o644);
	try {
		const response = await fetch(url, {
			signal: AbortSignal.any(signals),
			headers: {
				"accept-encoding": "identity",
				...(at > 0 && { range: `bytes=${at}-` }),
			},
		});
		if (response.status === nothingMore && bytes === undefined && at > 0)
			return; // its checksum tells
		refuseStatus(url, response);
		if (!goesOnAt(response, at)) {
			// a server that can't go on begins anew
			await file.truncate(0);
			onBytes?.(-at);
			at = 0;
		}
		const total = bytes ?? totalOf(response, at);
		const most = total ?? bytesMax;
		if (total !== undefined) {
			options.onTotal?.(total);
			refuseMoreThan(free, options.directory, total - at);
			if (total > bytesMax) throw tooLarge(bytesMax);
		}
		for await (const chunk of response.body ?? []) {
			clearTimeout(timer);
			timer = setTimeout(() => stalled.abort(), stallMsMax);
			if (at + chunk.length > most) {
				await file.truncate(0);
				throw tooLarge(most);
			}
			await writeAll(file, chunk);
			at += chunk.length;
			onBytes?.(chunk.length);
		}
		await file.sync();
		if (total !== undefined && at < total)
			throw new Error(`it ended after ${at} of ${total} bytes`);
	} finally {
		clearTimeout(timer);
		stalled.abort(); // nobody reads what may still come
		await file.close();
	}
}

function refuseStatus(url: string, { ok, status }: Response): void {
	if (ok) return;
	if (status >= 500 || status === 429 || status === 408)
		throw new Error(`the server answers ${status}`);
	throw new PackageError(`${url}: the server answers ${status}`);
}

function goesOnAt(response: Response, at: number): boolean {
	if (at === 0) return true;
	const range = response.headers.get("content-range") ?? "";
	return response.status === 206 && range.startsWith(`bytes ${at}-`);
}

/** Of the whole file, by what the server says of it. */
function totalOf({ headers }: Response, at: number): number | undefined {
	const range = /\/(\d+)$/.exec(headers.get("content-range") ?? "");
	if (range) return Number(range[1]);
	const length = headers.get("content-length") ?? "";
	return /^\d+$/.test(length) ? at + Number(length) : undefined;
}

export async function sizeOf(path: string): Promise<number> {
	return stat(path).then(
		({ size }) => size,
		() => 0,
	);
}

function reasonOf(error: unknown): string {
	const { message, cause } = error as Error & { cause?: Error };
	if ((error as Error).name === "AbortError") return "it says nothing any more";
	return cause?.message ?? message;
}
