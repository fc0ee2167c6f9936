/** How a model of a catalogue is fetched by a person: what the licence demands, files without a checksum, conversion. */
import { dirname } from "node:path";
import { openOnnx } from "../../drivers/onnx/session.js";
import { nearest } from "../config/nearest.js";
import type { Config } from "../config/schema.js";
import type { CatalogueEntry } from "../models/package/catalogue-entry.js";
import type { UnpinnedFile } from "../models/package/entry-files.js";
import {
	type CatalogueSource,
	type FetchOptions,
	UnknownModelError,
} from "../models/package/fetch-model.js";
import { PackageError } from "../models/package/model-package.js";
import { pinsName } from "../models/package/pins.js";
import { asPackageError } from "../models/package/placing.js";
import { confirmed } from "./consent.js";
import { ownCatalogue } from "./own-catalogue.js";
import { printable } from "./table.js";

export interface Accepted {
	readonly acceptLicence?: boolean;
	readonly acceptFiles?: boolean;
	/** Between two questions the progress bar is not shown. */
	readonly beforeQuestion: () => void;
}

export function catalogueOf({ model }: Config): CatalogueSource {
	return {
		location: model.catalogue,
		key: model.catalogue_key,
		own: ownCatalogue(),
	};
}

/** An unknown name is mostly a mistyped one. */
export function withNearest(error: unknown, wanted: string): unknown {
	if (!(error instanceof UnknownModelError)) return error;
	const near = nearest(wanted, error.known);
	return near === undefined
		? error
		: new PackageError(`${error.message}; the nearest is ${near}`);
}

/** What `fetchModel` asks. */
export function consentOf({
	acceptLicence = false,
	acceptFiles = false,
	beforeQuestion,
}: Accepted): Required<Pick<FetchOptions, "agree" | "accept">> {
	return {
		agree: async ({ name, licence, licensing, source }) => {
			report(
				`${name} is published under ${licence} (${source}): ${licensing?.summary ?? ""}`,
			);
			if (acceptLicence) return true;
			if (await confirmed("Do you accept that?")) return true;
			report("to accept it without being asked: --accept-licence");
			return false;
		},
		accept: async ({ name }, files) => {
			beforeQuestion();
			report(
				`nobody published a checksum of these files of ${name}; this is what was fetched:`,
			);
			for (const file of files) report(lineOf(file));
			if (acceptFiles || (await confirmed("Install them?"))) {
				report(
					`the checksums are kept in ${pinsName} beside the models: on another device, earshot models add ${name} --pins ${pinsName} takes the same files only`,
				);
				return true;
			}
			report("to accept them without being asked: --accept-files");
			return false;
		},
	};
}

/** Makes an eight-bit package of Whisper's weights, as `earshot models convert` does. What it returns throws PackageError. */
export function converter(
	replace: boolean,
	signal: AbortSignal,
	onProgress: (bytes: number, total: number) => void,
): Required<FetchOptions>["convert"] {
	return async (entry: CatalogueEntry, from, to) => {
		const { name, licence, source, edition } = entry;
		const { convertModel } = await import("../models/convert/convert.js");
		const { SourceError } = await import("../models/convert/weights.js");
		try {
			await convertModel(openOnnx(), {
				from,
				to,
				replace,
				name,
				licence,
				source,
				...(edition && { edition }),
				signal,
				onProgress,
				quantization: "int8",
			});
		} catch (error) {
			if (error instanceof SourceError)
				throw new PackageError(`${name} can't be converted: ${error.message}`);
			throw asPackageError(error, dirname(to), "what was fetched is kept");
		}
	};
}

function lineOf({ name, bytes, sha256, url }: UnpinnedFile): string {
	return `  ${name}, ${(bytes / 1e6).toFixed(1)} MB, sha256 ${sha256}\n    from ${url}`;
}

/** Of untrusted text: a catalogue's. */
function report(text: string): void {
	process.stderr.write(`${text.split("\n").map(printable).join("\n")}\n`);
}
