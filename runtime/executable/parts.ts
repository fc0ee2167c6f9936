/**
 * The parts of the executable besides its code: native libraries, which must be files before they can be loaded, and data, which is used in place. The bundler
 * inserts calls of this file where packages would look for theirs (scripts/executable/bundle-plugin.ts). Never loaded in a checkout.
 */
import { constants } from "node:os";
import { getAsset, getRawAsset } from "node:sea";
import { glibcVersion } from "../process/glibc-version.js";
import {
	checkPart,
	find,
	type Part,
	type PartFolder,
	type PartSource,
} from "./part-folder.js";
import { openFirst, unpackPlaces } from "./places.js";
import { glibcAdvice, UnpackError } from "./unpack-error.js";

/** The asset that lists the parts. */
export const partListName = "parts.json";

export interface PartList {
	/** `glibc2.34`: which build of this version it is. */
	readonly flavour: string;
	/** The glibc that all parts run with. */
	readonly glibc: string;
	readonly libraries: readonly Part[];
	readonly data: readonly Part[];
	/** All code (program-code.ts). */
	readonly program: Part;
}

/** Libraries that the loader looks up beside the one that needs them. */
const companions: Readonly<Record<string, readonly string[]>> = {
	"onnxruntime_binding.node": ["libonnxruntime.so.1"],
};
/** The smallest library: loaded to test whether a folder allows loading. */
const firstLibrary = "msgpackr-extract.node";

const loaded = new Map<string, unknown>();
let list: PartList | undefined;
let folder: PartFolder | undefined;

/** Loads a native addon. @returns its exports. @throws UnpackError */
export function loadAddon(name: string): unknown {
	return loadFrom(openFolder(), name);
}

/** Where compiled code of the program may be kept. @throws UnpackError where no folder can be written to */
export function openFolder(): PartFolder {
	folder ??= openFirst(unpackPlaces(), librarySource(), (opened) =>
		loadFrom(opened, firstLibrary),
	);
	return folder;
}

/** The path of a library that is not loaded as an addon. @throws UnpackError */
export function libraryFile(name: string): string {
	return openFolder().file(name);
}

/** Bytes inside the executable: read-only. @throws UnpackError */
export function partData(name: string): Buffer {
	const content = Buffer.from(getRawAsset(name) as ArrayBuffer);
	checkPart(find(partList().data, name), content);
	return content;
}

function loadFrom(from: PartFolder, name: string): unknown {
	if (loaded.has(name)) return loaded.get(name);
	for (const companion of companions[name] ?? []) from.file(companion);
	const addon = { exports: {} };
	try {
		process.dlopen(addon, from.file(name), constants.dlopen.RTLD_LAZY);
	} catch (error) {
		const advice = glibcAdvice(
			(error as Error).message,
			partList(),
			glibcVersion(),
		);
		throw advice ? new UnpackError(advice, { cause: error }) : error;
	}
	loaded.set(name, addon.exports);
	return addon.exports;
}

function librarySource(): PartSource {
	return {
		parts: partList().libraries,
		read: (name) => Buffer.from(getRawAsset(name) as ArrayBuffer),
	};
}

/** @throws UnpackError */
export function partList(): PartList {
	try {
		list ??= JSON.parse(getAsset(partListName, "utf8")) as PartList;
	} catch (cause) {
		throw new UnpackError("this executable is damaged: download it again", {
			cause,
		});
	}
	return list;
}
