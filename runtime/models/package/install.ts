/**
 * Installs a package in the folder of models: all files are copied under a hidden name beside the other packages and compared with their checksums, and
 * only then the folder gets its name. A package is installed completely or not at all.
 */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import { setModeOfMade } from "../../disk/folder-owner.js";
import { exists, writeWhole } from "../../disk/whole-file.js";
import { type ModelKindName, modelKindOf } from "../kinds.js";
import type { Manifest } from "../manifest.js";
import { isPackageName } from "../package-name.js";
import { checkGraphs } from "./graph-check.js";
import { bytesOf, type Source, textsIn } from "./install-sources.js";
import {
	InstallRefusal,
	loadPackage,
	type ModelPackage,
} from "./model-package.js";
import {
	addingPrefix,
	asPackageError,
	copyFile,
	moveFile,
	refuseExisting,
	refuseWithoutRoom,
	replaceFolder,
	sweepLeftovers,
	type WrittenFile,
} from "./placing.js";
import { type PublishedModel, readPublishedModel } from "./published-model.js";
import { verifyPackage } from "./verify.js";

export interface InstallOptions {
	/** The folder of models. */
	readonly directory: string;
	/** The package's name; default for a published model: its folder's name. */
	readonly name?: string;
	/** Which kind of package a published model becomes; default: a speech recognizer of the kind that its graphs are. */
	readonly kind?: ModelKindName;
	/** Properties that a published model does not contain. */
	readonly licence?: string;
	readonly source?: string;
	readonly edition?: string;
	readonly languages?: readonly string[];
	/** A clip and the words in it, for the health check. */
	readonly probe?: {
		readonly path: string;
		readonly language: string;
		readonly words: readonly string[];
	};
	/** Options of a command that apply to a published model only, for people: a package has its own description. */
	readonly onlyPublished?: readonly string[];
	readonly replace?: boolean;
	/** A temporary folder whose files may be moved instead of copied. Absolute, on the disk of the models. */
	readonly ours?: string;
	/** Name to use instead of the temporary folder's. */
	readonly folderName?: string;
	readonly onBytes?: (bytes: number, total: number) => void;
	readonly signal?: AbortSignal;
}

/** @param from an earshot package, or a model as published. @throws PackageError; nothing was changed in that case. */
export async function installFolder(
	from: string,
	options: InstallOptions,
): Promise<ModelPackage> {
	const folder = resolve(from);
	return (await exists(join(folder, "model.json")))
		? installPackage(folder, options)
		: installPublished(folder, options);
}

async function installPackage(
	folder: string,
	options: InstallOptions,
): Promise<ModelPackage> {
	const opened = await loadPackage(folder);
	const { manifest } = opened;
	if (options.name !== undefined && options.name !== manifest.name)
		throw new InstallRefusal(
			`${folder} is the package ${manifest.name}, not ${options.name}`,
		);
	if (options.kind !== undefined && options.kind !== manifest.kind)
		throw new InstallRefusal(
			`${folder} is a ${manifest.kind} package, not ${options.kind}`,
		);
	const { onlyPublished = [] } = options;
	if (onlyPublished.length > 0)
		throw new InstallRefusal(
			`${manifest.name} is a package, which describes itself: ${onlyPublished.join(", ")} can't be given`,
		);
	const sources = Object.keys(manifest.files).map((file) => ({
		file,
		path: opened.path(file),
	}));
	return intoPlace(
		manifest.name,
		options,
		async (made, copy) => {
			for (const { file, path } of sources) await copy(path, file);
			await writeManifest(made, manifest);
		},
		sources,
	);
}

async function installPublished(
	folder: string,
	options: InstallOptions,
): Promise<ModelPackage> {
	const { kind, folderName = basename(folder) } = options;
	const kinds = kind && [modelKindOf(kind)];
	const model = await readPublishedModel(folder, kinds, folderName);
	const name = options.name ?? plainName(folderName);
	if (!options.languages && model.languages.length === 0)
		throw new InstallRefusal(
			`the files of ${folderName} do not say which language it recognizes: say it with --languages, for example --languages en-US`,
		);
	const { probe } = options;
	const probeFile = "probe.wav";
	const sources = [
		...Object.entries(model.files),
		...(probe ? [[probeFile, probe.path] as const] : []),
		...(await textsIn(folder)),
	].map(([file, path]) => ({ file, path }));
	return intoPlace(
		name,
		options,
		async (made, copy) => {
			const files: Manifest["files"] = {};
			for (const { file, path } of sources) {
				const content = await model.rewritten[file]?.(path);
				files[file] = content
					? await writeDerived(join(made, file), content)
					: await copy(path, file);
			}
			for (const [file, derive] of Object.entries(model.derived))
				files[file] = await writeDerived(join(made, file), await derive());
			await writeManifest(made, manifestOf(name, model, files, options));
		},
		sources,
	);
}

async function writeDerived(
	path: string,
	content: Uint8Array,
): Promise<WrittenFile> {
	await writeWhole(path, content);
	const sha256 = createHash("sha256").update(content).digest("hex");
	return { sha256, bytes: content.length };
}

function manifestOf(
	name: string,
	model: PublishedModel,
	files: Manifest["files"],
	{ licence, source, edition, languages, probe }: InstallOptions,
): Manifest {
	return {
		schema: 1,
		name,
		kind: model.kind,
		languages: [...(languages ?? model.languages)],
		licence: licence ?? "unknown",
		source: source ?? "a folder of published graphs",
		...(edition && { edition }),
		...(model.quantization && { quantization: model.quantization }),
		files,
		...model.shapes,
		...(probe && {
			probe: {
				file: "probe.wav",
				language: probe.language,
				words: [...probe.words],
			},
		}),
	};
}

type Copy = (path: string, file: string) => Promise<WrittenFile>;

async function intoPlace(
	name: string,
	options: InstallOptions,
	fill: (made: string, copy: Copy) => Promise<void>,
	sources: readonly Source[],
): Promise<ModelPackage> {
	const { directory, replace, onBytes, signal, ours } = options;
	if (!isPackageName(name))
		throw new InstallRefusal(
			`${JSON.stringify(name)} is not a package name: use lower-case letters, digits, . _ - (set one with --name)`,
		);
	const to = join(directory, name);
	await mkdir(directory, { recursive: true });
	await sweepLeftovers(directory); // may give the name its package back
	await refuseExisting(to, replace);
	const total = await bytesOf(sources);
	if (ours === undefined) await refuseWithoutRoom(directory, total);
	const made = await mkdtemp(join(directory, addingPrefix));
	try {
		setModeOfMade(made, 0o755); // temporary folders are private, but the service runs as another user
		let done = 0;
		const count = (bytes: number) => {
			done += bytes;
			onBytes?.(done, total);
		};
		await fill(made, (path, file) => {
			const to = join(made, file);
			return ours !== undefined && path.startsWith(ours + sep)
				? moveFile(path, to, count)
				: copyFile(path, to, signal, count);
		});
		// checks the files as written to the disk
		const written = await loadPackage(made);
		await verifyPackage(written);
		await checkGraphs(written);
		await replaceFolder(made, to);
		return await loadPackage(to);
	} catch (error) {
		throw asPackageError(error, directory);
	} finally {
		await rm(made, { recursive: true, force: true });
	}
}

async function writeManifest(made: string, manifest: Manifest): Promise<void> {
	await writeWhole(
		join(made, "model.json"),
		`${JSON.stringify(manifest, null, "\t")}\n`,
	);
}

function plainName(name: string): string {
	return name.toLowerCase().replace(/[^a-z0-9._-]+/g, "-");
}
