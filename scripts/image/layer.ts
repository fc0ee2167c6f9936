/** Folders as a layer of an image: the same files give the same bytes, whenever and by whomever it is made. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	createReadStream,
	createWriteStream,
	readdirSync,
	rmSync,
	statSync,
} from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

export interface Layer {
	/** Compressed. */
	readonly file: string;
	readonly bytes: number;
	/** Of `file`. */
	readonly sha256: string;
	/** Uncompressed. */
	readonly contentSha256: string;
	/** What is in it, for `docker history`. */
	readonly title: string;
}

export interface LayerPart {
	readonly folder: string;
	/** User and group of everything in it. */
	readonly owner: number;
	/** As chmod has it, for everything in it. */
	readonly mode: string;
}

/** @param file to write. */
export async function makeLayer(
	title: string,
	parts: readonly LayerPart[],
	file: string,
): Promise<Layer> {
	const tar = `${file}.tar`;
	rmSync(tar, { force: true });
	for (const { folder, owner, mode } of parts)
		execFileSync("tar", [
			...["--append", `--file=${tar}`, `--directory=${folder}`],
			...["--sort=name", "--format=gnu", "--mtime=@0", `--mode=${mode}`],
			...["--numeric-owner", `--owner=${owner}`, `--group=${owner}`],
			...readdirSync(folder).sort(),
		]);
	await pipeline(createReadStream(tar), createGzip(), createWriteStream(file));
	const contentSha256 = await sha256Of(tar);
	rmSync(tar);
	return {
		title,
		file,
		contentSha256,
		bytes: statSync(file).size,
		sha256: await sha256Of(file),
	};
}

async function sha256Of(file: string): Promise<string> {
	const hash = createHash("sha256");
	await pipeline(createReadStream(file), hash);
	return hash.digest("hex");
}
