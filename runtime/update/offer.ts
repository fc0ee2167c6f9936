/** A release at a URL or path, and fetching it to the program's folder: complete and verified, but not yet in place. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { syncFile } from "../disk/whole-file.js";
import { isUrl, readSmallFile } from "../download/small-file.js";
import { refuseWithoutRoom } from "../models/package/placing.js";
import {
	fetchInto,
	type ResumeOptions,
	sizeOf,
} from "../models/package/resumed-fetch.js";
import {
	type PublicKey,
	readSignature,
	type Signature,
	verifyFile,
} from "./minisign.js";
import type { Places } from "./places.js";
import { type Release, releaseOf } from "./release.js";
import { UpdateError } from "./update-error.js";

export interface Offer {
	/** A URL or a path. */
	readonly location: string;
	readonly signature: Signature;
	/** From the signed comment. */
	readonly release: Release;
}

/** The directory is always the program's folder. */
export type TakeOptions = Omit<ResumeOptions, "directory">;

const signatureBytesMax = 8192;
/** Five times the current size of the program. */
const programBytesMax = 1024 ** 3;
/** The libraries are unpacked once, to check that they load. */
const unpackedBytes = 80e6;

/** @throws UpdateError unless it is signed by a trusted key. */
export async function readOffer(
	location: string,
	keys: readonly PublicKey[],
): Promise<Offer> {
	const signature = readSignature(await signatureOf(location), keys);
	return { location, signature, release: releaseOf(signature.trustedComment) };
}

async function signatureOf(location: string): Promise<string> {
	const from = `${location}.minisig`;
	try {
		return (await readSmallFile(from, signatureBytesMax)).toString("utf8");
	} catch (error) {
		throw new UpdateError(
			`its signature ${from} can't be read: ${(error as Error).message}`,
		);
	}
}

/**
 * Fetches the verified file as `next`. A partial download is resumed for as long as the signature is the same.
 * @throws UpdateError, PackageError
 */
export async function take(
	{ location, signature, release }: Offer,
	places: Places,
	options: TakeOptions,
): Promise<void> {
	const { folder, next } = places;
	const name = `.earshot-${idOf(signature)}.part`;
	const part = join(folder, name);
	await removeOthers(folder, name);
	await rm(next, { force: true });
	const bytes = release.bytes ?? (await releaseBytesOf(location));
	await refuseWithoutRoom(
		folder,
		(bytes ?? 0) - (await sizeOf(part)) + unpackedBytes,
	);
	options.onBytes?.(await sizeOf(part));
	if (isUrl(location))
		await fetchInto(
			part,
			location,
			{
				bytesMax: programBytesMax,
				promisedBy: "its signature",
				...(bytes !== undefined && { bytes }),
			},
			{ ...options, directory: folder },
		);
	else await copyInto(part, location, options);
	try {
		await verifyFile(part, signature);
	} catch (error) {
		await rm(part, { force: true });
		throw error;
	}
	await chmod(part, 0o755);
	await syncFile(part);
	await rename(part, next);
}

async function copyInto(
	part: string,
	path: string,
	{ onBytes, signal }: TakeOptions,
): Promise<void> {
	const found = await stat(path);
	if (!found.isFile() || found.size > programBytesMax)
		throw new UpdateError(`${path} is not an earshot executable`);
	const target = await open(part, "w", 0o644);
	const source = createReadStream(path);
	source.on("data", (chunk) => onBytes?.(chunk.length));
	try {
		await pipeline(source, target.createWriteStream(), { signal });
	} catch (error) {
		await rm(part, { force: true });
		throw error;
	}
}

async function releaseBytesOf(location: string): Promise<number | undefined> {
	if (isUrl(location)) return undefined;
	try {
		return (await stat(location)).size;
	} catch {
		throw new UpdateError(`${location} can't be read`);
	}
}

/** Tells signed files apart without their bytes. */
export function idOf({ bytes }: Signature): string {
	return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

/** Removes partial downloads of other releases. */
async function removeOthers(folder: string, ours: string): Promise<void> {
	for (const name of await readdir(folder))
		if (/^\.earshot-[0-9a-f]{16}\.part$/.test(name) && name !== ours)
			await rm(join(folder, name), { force: true });
}

/** The release in words, for the output of a check. */
export function described({ release }: Offer): string {
	const { version, architecture } = release;
	return `${version ?? "a version not named in its signature"}${architecture ? ` for ${architecture}` : ""}`;
}
