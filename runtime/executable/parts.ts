/**
 * What the executable brings along beside its code: native libraries, which must be files before they can be loaded, and data, which is used where it lies.
 * The bundler puts calls of this file where packages would look for theirs (scripts/executable/bundle-plugin.ts). Never loaded in a checkout.
 */
import { constants } from "node:os";
import { getAsset, getRawAsset } from "node:sea";
import {
	checkPart,
	find,
	type Part,
	type PartFolder,
	type PartSource,
} from "./part-folder.js";
import { openFirst, unpackPlaces } from "./places.js";
import { glibcAdvice, UnpackError } from "./unpack-error.js";

/** The asset that lists the others. */
export const partListName = "parts.json";

export interface PartList {
	/** `glibc2.34`: which of the executables of this version it is. */
	readonly flavour: string;
	/** The glibc that all of them run with. */
	readonly glibc: string;
	readonly libraries: readonly Part[];
	readonly data: readonly Part[];
}

/** Found by the loader beside the one that asks for it. */
const companions: Readonly<Record<string, readonly string[]>> = {
	"onnxruntime_binding.node": ["libonnxruntime.so.1"],
};
/** The smallest: loaded to see whether a folder lets anything be loaded. */
const firstLibrary = "msgpackr-extract.node";

const loaded = new Map<string, unknown>();
let list: PartList | undefined;
let folder: PartFolder | undefined;

/** What a native addon exports. @throws UnpackError */
export function loadAddon(name: string): unknown {
	return loadFrom(openFolder(), name);
}

function openFolder(): PartFolder {
	folder ??= openFirst(unpackPlaces(), librarySource(), (opened) =>
		loadFrom(opened, firstLibrary),
	);
	return folder;
}

/** The path of a library that is loaded by other means than as an addon. @throws UnpackError */
export function libraryFile(name: string): string {
	return openFolder().file(name);
}

/** Bytes in the executable itself: not to be written to. @throws UnpackError */
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
			glibcHere(),
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

function partList(): PartList {
	try {
		list ??= JSON.parse(getAsset(partListName, "utf8")) as PartList;
	} catch (cause) {
		throw new UnpackError("this executable is damaged: fetch it again", {
			cause,
		});
	}
	return list;
}

function glibcHere(): string | undefined {
	const report = process.report?.getReport() as
		| { header?: { glibcVersionRuntime?: string } }
		| undefined;
	return report?.header?.glibcVersionRuntime;
}
