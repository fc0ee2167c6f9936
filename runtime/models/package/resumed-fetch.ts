/**
 * Downloads a file from a server and appends to a partial file: an interrupted download is resumed, now or by the next call. The caller checks the contents;
 * the file never exceeds the allowed size.
 */
import { type FileHandle, open, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { freeBytesOf } from "../../disk/free-bytes.js";
import { isDiskFull } from "../../disk/full-disk.js";
import { writeAll } from "../../disk/whole-file.js";
import { fetchFromInternet, ProxyRefusal } from "../../download/internet.js";
import { PackageError } from "./model-package.js";
import { editionOf, keepEdition, mayBeOf, removePart } from "./part-edition.js";
import { asPackageError, refuseMoreThan } from "./placing.js";
import { refuseResponse } from "./response-checks.js";

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
	/** Set where no checksum tells whether the contents are right: then only the same edition is resumed, and from hosts that are known. */
	readonly unchecked?: {
		/** Further hosts that the server may redirect to. */
		readonly redirectHosts: readonly string[];
	};
}

/** Consecutive attempts without any data. */
const triesMax = 6;
const pauseMsDefault = 500;
const stallMsDefault = 30_000;
const partialContent = 206;
/** The requested range starts at the end of the file: it is complete. */
const rangeNotSatisfiable = 416;
export const keptPart = "what was fetched is kept for the next time";

/** @param part the partial file, kept when this throws. @throws PackageError */
export async function fetchInto(
	part: string,
	url: string,
	expected: ExpectedLength,
	options: ResumeOptions,
): Promise<void> {
	const { directory, signal } = options;
	let pauseMs = options.pauseMs ?? pauseMsDefault;
	let furthest = await sizeOf(part);
	for (let tries = 1; ; tries++) {
		try {
			signal?.throwIfAborted();
			await fetchRest(url, part, expected, options);
			return;
		} catch (error) {
			const isFull = isDiskFull(error);
			const size = await sizeOf(part);
			if (isFull || size === 0) await removePart(part);
			if (isFull || error instanceof PackageError)
				throw asPackageError(error, directory);
			if (signal?.aborted) throw asPackageError(error, directory, keptPart);
			if (error instanceof ProxyRefusal)
				throw new PackageError(`${url} can't be fetched: ${error.message}`);
			if (size > furthest) tries = 0;
			furthest = Math.max(furthest, size);
			if (tries >= triesMax)
				throw new PackageError(
					`${url} can't be fetched: ${reasonOf(error)}${size > 0 ? "; the partial file is kept, and resumed the next time" : ""}`,
				);
			await sleep(pauseMs, undefined, { signal }).catch(() => {});
			pauseMs *= tries === 0 ? 1 : 2;
		}
	}
}

async function fetchRest(
	url: string,
	part: string,
	expected: ExpectedLength,
	options: ResumeOptions,
): Promise<void> {
	const { bytes } = expected;
	const { signal, unchecked, stallMsMax = stallMsDefault } = options;
	const { at, edition } = await beginningOf(part, bytes, options);
	if (at === bytes && bytes > 0 && !unchecked) return;
	// before the request: awaiting anything else between response and body would lose data if the server disconnects
	const free = await freeBytesOf(options.directory);
	const stalled = new AbortController();
	let timer = setTimeout(() => stalled.abort(), stallMsMax);
	const arrived = () => {
		clearTimeout(timer);
		timer = setTimeout(() => stalled.abort(), stallMsMax);
	};
	const signals = [stalled.signal, ...(signal ? [signal] : [])];
	const file = await open(part, "a", 0o644);
	try {
		const response = await fetchFromInternet(url, {
			signal: AbortSignal.any(signals),
			headers: {
				"accept-encoding": "identity",
				...(at > 0 && { range: `bytes=${at}-` }),
				...(edition !== undefined && { "if-range": edition }),
			},
		});
		const startAgain = async () => {
			await file.truncate(0);
			options.onBytes?.(-at);
		};
		if (response.status === rangeNotSatisfiable && at > 0) {
			const size = sizeInRange(response) ?? bytes ?? at;
			const isWhole = at === size && at === (bytes ?? at);
			// the caller compares the checksum, if there is one
			if (isWhole && isSameEdition(response, edition)) return;
			await startAgain();
			throw another(url, size, expected);
		}
		refuseResponse(url, response, unchecked?.redirectHosts);
		const isRest = response.status === partialContent && at > 0;
		if (isRest && !resumes(response, at, edition)) {
			await startAgain();
			throw new Error("the file was replaced meanwhile");
		}
		// the server does not support ranges, or has another edition: from the beginning
		if (!isRest && at > 0) await startAgain();
		if (!isRest && unchecked) keepEdition(part, response.headers);
		const whole = { ...expected, free, at: isRest ? at : 0 };
		await append(file, response, url, whole, { ...options, arrived });
	} finally {
		clearTimeout(timer);
		stalled.abort(); // closes the connection if there is unread data
		await file.close();
	}
}

/** How much of the partial file may be continued; what can't be of the same edition is removed. */
async function beginningOf(
	part: string,
	bytes: number | undefined,
	{ unchecked, onBytes }: ResumeOptions,
) {
	const at = await sizeOf(part);
	if (at === 0) return { at };
	const edition = unchecked && (await editionOf(part));
	const isKnown = !unchecked || edition !== undefined;
	if (isKnown && (bytes === undefined || at <= bytes)) return { at, edition };
	await removePart(part);
	onBytes?.(-at);
	return { at: 0 };
}

async function append(
	file: FileHandle,
	response: Response,
	url: string,
	expected: ExpectedLength & { readonly at: number; readonly free: number },
	options: ResumeOptions & { readonly arrived: () => void },
): Promise<void> {
	const { bytes, bytesMax, promisedBy, free } = expected;
	let { at } = expected;
	const tooLarge = (most: number) =>
		new PackageError(
			`${url} is larger than ${bytes === undefined ? "allowed" : `${promisedBy} states`} (${most} bytes)`,
		);
	const total = bytes ?? totalOf(response, at);
	const most = total ?? bytesMax;
	if (total !== undefined) {
		options.onTotal?.(total);
		refuseMoreThan(free, options.directory, total - at);
		if (total > bytesMax) throw tooLarge(bytesMax);
	}
	for await (const chunk of response.body ?? []) {
		options.arrived();
		if (at + chunk.length > most) {
			await file.truncate(0);
			throw tooLarge(most);
		}
		await writeAll(file, chunk);
		at += chunk.length;
		options.onBytes?.(chunk.length);
	}
	await file.sync();
	if (total !== undefined && at < total)
		throw new Error(`it ended after ${at} of ${total} bytes`);
}

/** The partial file can't be the beginning of what the server has. */
function another(
	url: string,
	size: number,
	{ bytes, promisedBy }: ExpectedLength,
): Error {
	return bytes === undefined || bytes === size
		? new Error("the file was replaced meanwhile")
		: new PackageError(
				`${url} has ${size} bytes instead of the ${bytes} that ${promisedBy} states`,
			);
}

function resumes(
	response: Response,
	at: number,
	edition: string | undefined,
): boolean {
	const range = response.headers.get("content-range") ?? "";
	return range.startsWith(`bytes ${at}-`) && isSameEdition(response, edition);
}

function isSameEdition(
	{ headers }: Response,
	edition: string | undefined,
): boolean {
	return edition === undefined || mayBeOf(edition, headers);
}

/** Size of the whole file, from the response headers. */
function totalOf(response: Response, at: number): number | undefined {
	const length = response.headers.get("content-length") ?? "";
	return (
		sizeInRange(response) ??
		(/^\d+$/.test(length) ? at + Number(length) : undefined)
	);
}

function sizeInRange({ headers }: Response): number | undefined {
	const range = /\/(\d+)$/.exec(headers.get("content-range") ?? "");
	return range ? Number(range[1]) : undefined;
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
