/**
 * Files from a server, kept while they are incomplete: what broke off is gone on with, now or by the next call. A file counts only when its checksum is the
 * one that was promised.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import {
	type FileHandle,
	mkdir,
	open,
	rename,
	rm,
	stat,
} from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { asPackageError, refuseWithoutRoom } from "./install.js";
import { PackageError } from "./model-package.js";
import type { CatalogueFile } from "./signed-catalogue.js";

export interface DownloadOptions {
	/** Where files go; what is there already is not fetched again. */
	readonly directory: string;
	readonly onBytes?: (bytes: number) => void;
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

/** @param url absolute. @throws PackageError; what came so far is kept, unless it is wrong. */
export async function downloadFile(
	{ name, sha256, bytes }: CatalogueFile,
	url: string,
	options: DownloadOptions,
): Promise<void> {
	const { directory, signal, onBytes } = options;
	const path = join(directory, name);
	await mkdir(directory, { recursive: true });
	if ((await sizeOf(path)) === bytes && (await sha256Of(path)) === sha256) {
		onBytes?.(bytes);
		return;
	}
	const part = join(directory, `${sha256}.part`);
	const had = Math.min(await sizeOf(part), bytes);
	await refuseWithoutRoom(directory, bytes - had);
	onBytes?.(had);
	let pauseMs = options.pauseMs ?? pauseMsDefault;
	for (let tries = 1; ; tries++) {
		signal?.throwIfAborted();
		const before = await sizeOf(part);
		try {
			await fetchRest(url, part, bytes, options);
			break;
		} catch (error) {
			if (signal?.aborted || error instanceof PackageError)
				throw asPackageError(error, directory);
			const { code } = error as NodeJS.ErrnoException;
			if (code === "ENOSPC" || code === "EDQUOT")
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
	const found = await sha256Of(part);
	if (found !== sha256) {
		await rm(part, { force: true });
		throw new PackageError(
			`${url} is not what the catalogue says (sha256 ${found.slice(0, 12)}..., expected ${sha256.slice(0, 12)}...): it is thrown away`,
		);
	}
	await rename(part, path);
}

async function fetchRest(
	url: string,
	part: string,
	bytes: number,
	{ signal, onBytes, stallMsMax = stallMsDefault }: DownloadOptions,
): Promise<void> {
	let at = await sizeOf(part);
	if (at === bytes && bytes > 0) return;
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
		refuseStatus(url, response);
		if (!goesOnAt(response, at)) {
			// a server that can't go on begins anew
			await file.truncate(0);
			onBytes?.(-at);
			at = 0;
		}
		for await (const chunk of response.body ?? []) {
			clearTimeout(timer);
			timer = setTimeout(() => stalled.abort(), stallMsMax);
			if (at + chunk.length > bytes) {
				await file.truncate(0);
				throw new PackageError(
					`${url} is larger than the catalogue says (${bytes} bytes)`,
				);
			}
			await writeAll(file, chunk);
			at += chunk.length;
			onBytes?.(chunk.length);
		}
		await file.sync();
		if (at < bytes) throw new Error(`it ended after ${at} of ${bytes} bytes`);
	} finally {
		clearTimeout(timer);
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

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
	for (let done = 0; done < chunk.length; )
		done += (await file.write(chunk, done)).bytesWritten;
}

async function sizeOf(path: string): Promise<number> {
	return stat(path).then(
		({ size }) => size,
		() => 0,
	);
}

async function sha256Of(path: string): Promise<string> {
	const hash = createHash("sha256");
	for await (const chunk of createReadStream(path)) hash.update(chunk);
	return hash.digest("hex");
}

function reasonOf(error: unknown): string {
	const { message, cause } = error as Error & { cause?: Error };
	if ((error as Error).name === "AbortError") return "it says nothing any more";
	return cause?.message ?? message;
}
