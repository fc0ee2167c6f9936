/**
 * Downloads a file from a server and appends to a partial file: an interrupted download is resumed, now or by the next call. The caller checks the contents;
 * the file never exceeds the allowed size.
 */
import { open, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { writeAll } from "../../disk/whole-file.js";
import { PackageError } from "./model-package.js";
import { asPackageError, freeBytes, refuseMoreThan } from "./placing.js";

/** Expected size of a file, as far as it is known. */
export interface ExpectedLength {
	/** Undefined: the size that the server reports, at most `bytesMax`. */
	readonly bytes?: number;
	readonly bytesMax: number;
	/** Where `bytes` and the checksum come from, for messages: "the catalogue". */
	readonly promisedBy: string;
}

export interface ResumeOptions {
	/** Folder of the partial file. */
	readonly directory: string;
	readonly onBytes?: (bytes: number) => void;
	/** Called with the size of the file once it is known. */
	readonly onTotal?: (bytes: number) => void;
	readonly signal?: AbortSignal;
	/** The first pause after a connection failed; doubles each time. */
	readonly pauseMs?: number;
	/** A connection without data for this long counts as broken. */
	readonly stallMsMax?: number;
	/** Further hosts that the server may redirect to; absent: any, since the contents are checked anyway. */
	readonly redirectHosts?: readonly string[];
}

/** Consecutive attempts without any data. */
const triesMax = 6;
const pauseMsDefault = 500;
const stallMsDefault = 30_000;
/** The requested range starts at the end of the file: it is complete. */
const rangeNotSatisfiable = 416;

/** @param part the partial file, kept when this throws. @throws PackageError */
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
					`${url} can't be fetched: ${reasonOf(error)}; the partial file is kept, and resumed the next time`,
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
			`${url} is larger than ${bytes === undefined ? "allowed" : `${promisedBy} states`} (${most} bytes)`,
		);
	let at = await sizeOf(part);
	if (at === bytes && bytes > 0) return;
	// before the request: awaiting anything else between response and body would lose data if the server disconnects
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
		if (
			response.status === rangeNotSatisfiable &&
			bytes === undefined &&
			at > 0
		)
			return; // the caller compares the checksum
		refuseStatus(url, response);
		refuseRedirect(url, response, options.redirectHosts);
		refusePage(url, response);
		if (!resumesAt(response, at)) {
			// the server does not support ranges: start again
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
		stalled.abort(); // closes the connection if there is unread data
		await file.close();
	}
}

function refuseStatus(url: string, { ok, status }: Response): void {
	if (ok) return;
	if (status >= 500 || status === 429 || status === 408)
		throw new Error(`the server returned ${status}`);
	throw new PackageError(`${url}: the server returned ${status}`);
}

/** Encryption is never given up on the way. */
function refuseRedirect(
	asked: string,
	{ url, redirected }: Response,
	hosts: readonly string[] | undefined,
): void {
	if (!redirected) return;
	const from = new URL(asked);
	const to = new URL(url);
	if (from.protocol === "https:" && to.protocol !== "https:")
		throw new PackageError(
			`${asked} leads to ${to.origin}, which is not encrypted: nothing was fetched`,
		);
	if (hosts && to.host !== from.host && !hosts.includes(to.host))
		throw new PackageError(
			`${asked} leads to ${to.host}, another host, and there is no checksum to tell whether that is the same file: nothing was fetched`,
		);
}

function refusePage(url: string, { headers }: Response): void {
	if (
		/^(?:text\/html|application\/xhtml)/i.test(
			headers.get("content-type") ?? "",
		)
	)
		throw new PackageError(
			`${url} returned a web page instead of the file: open it in a browser to see what it says`,
		);
}

function resumesAt(response: Response, at: number): boolean {
	if (at === 0) return true;
	const range = response.headers.get("content-range") ?? "";
	return response.status === 206 && range.startsWith(`bytes ${at}-`);
}

/** Size of the whole file, from the response headers. */
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
	if ((error as Error).name === "AbortError") return "it stopped sending data";
	return cause?.message ?? message;
}
