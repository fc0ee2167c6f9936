/**
 * Opens a model package on disk: its manifest fits the schema, and every file it names is in its folder and has the expected size.
 * `verifyPackage` compares the contents. A package may come from anywhere, so its manifest is untrusted.
 */
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { whyNot } from "../../json/json-schema.js";
import { fitsUncompiled } from "../../json/uncompiled-schema.js";
import { modelKindOf, modelKinds } from "../kinds.js";
import { type Manifest, manifestSchema } from "../manifest.js";

/** A package can't be used; the message names it, the reason, and what to do. */
export class PackageError extends Error {
	override readonly name = "PackageError";
}

/** The files may be as they should; they can be installed with another option, once there is room, or if nobody stops it. */
export class InstallRefusal extends PackageError {}

export interface ModelPackage {
	/** Absolute. */
	readonly folder: string;
	readonly manifest: Manifest;
	/** Absolute path of one of its files. @throws PackageError when the manifest doesn't name it */
	path(file: string): string;
}

const manifestBytesMax = 1024 * 1024;
const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** @throws PackageError */
export async function loadPackage(directory: string): Promise<ModelPackage> {
	const folder = resolve(directory);
	const manifest = await readManifest(folder);
	const known = new Set(Object.keys(manifest.files));
	checkContents(folder, manifest, known);
	for (const [file, { bytes }] of Object.entries(manifest.files))
		await checkSize(folder, file, bytes);
	return {
		folder,
		manifest,
		path: (file) => {
			if (known.has(file)) return join(folder, file);
			throw new PackageError(`${folder} has no file ${file}`);
		},
	};
}

/** Whether a folder with a `model.json` is a package, be it damaged or of another version: other programs write files of that name, too. */
export async function mayBePackage(directory: string): Promise<boolean> {
	const path = join(directory, "model.json");
	const size = await sizeOf(path);
	if (size === undefined || size > manifestBytesMax) return false;
	try {
		const { kind, files } = Object(JSON.parse(await readFile(path, "utf8")));
		return typeof kind === "string" && typeof files === "object";
	} catch (error) {
		if (error instanceof SyntaxError) return true; // what is left of it after a power cut
		throw error;
	}
}

async function readManifest(folder: string): Promise<Manifest> {
	const path = join(folder, "model.json");
	const size = await sizeOf(path);
	if (size === undefined)
		throw new PackageError(
			existsSync(folder)
				? `${folder} is not a model package: it has no model.json`
				: `there is no folder ${folder}: copy the model package there, or set model.dir to the folder that has it`,
		);
	if (size > manifestBytesMax)
		throw new PackageError(`${path} is too large to be a manifest`);
	const manifest = parse(path, await readFile(path, "utf8"));
	if (fitsUncompiled(manifestSchema, manifest)) return manifest;
	refuseUnknownKind(folder, manifest);
	const { path: where, message } = whyNot(manifestSchema, manifest);
	throw new PackageError(
		`${path}: ${where.slice(1).replaceAll("/", ".") || "the manifest"} ${message}; the package is for another version of earshot, or damaged`,
	);
}

/** Distinguishes a manifest of a newer version from a damaged one. */
function refuseUnknownKind(folder: string, manifest: unknown): void {
	const { kind } = (manifest ?? {}) as { readonly kind?: unknown };
	const known: readonly string[] = modelKinds.map((it) => it.name);
	if (typeof kind !== "string" || known.includes(kind)) return;
	throw new PackageError(
		`${folder} is a package of kind ${JSON.stringify(kind.slice(0, 40))}, which this version of earshot does not support; it supports ${known.join(", ")}`,
	);
}

function parse(path: string, text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new PackageError(
			`${path} is not valid JSON: fetch the package again`,
		);
	}
}

function checkContents(
	folder: string,
	manifest: Manifest,
	known: ReadonlySet<string>,
): void {
	for (const file of known)
		if (!plainName.test(file))
			throw new PackageError(
				`${folder}: the files of a package must be in its folder, but the manifest names ${JSON.stringify(file)}`,
			);
	const { files, shape } = modelKindOf(manifest.kind);
	const wanted = [...files, ...(manifest.probe ? [manifest.probe.file] : [])];
	for (const file of wanted)
		if (!known.has(file))
			throw new PackageError(
				`${folder}: a ${manifest.kind} package needs ${file}, which the manifest does not list`,
			);
	if (shape && !(shape.key in manifest))
		throw new PackageError(
			`${folder}: the manifest has no "${shape.key}" shapes`,
		);
}

async function checkSize(
	folder: string,
	file: string,
	bytes: number,
): Promise<void> {
	const size = await sizeOf(join(folder, file));
	if (size === undefined)
		throw new PackageError(
			`${basename(folder)}: ${file} is missing; fetch the package again`,
		);
	if (size !== bytes)
		throw new PackageError(
			`${basename(folder)}: ${file} has ${size} bytes instead of ${bytes}; fetch the package again`,
		);
}

/** Size of a regular file; undefined when it does not exist. */
async function sizeOf(path: string): Promise<number | undefined> {
	try {
		const found = await stat(path);
		return found.isFile() ? found.size : undefined;
	} catch {
		return undefined;
	}
}
