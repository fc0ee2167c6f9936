/** Weights that a graph keeps in another file of its package: where they are (onnx.proto's external_data), and that they are numbers. */
import { open } from "node:fs/promises";
import { containsNaN } from "./float-check.js";
import { PackageError } from "./model-package.js";
import {
	type Field,
	nameBytesMax,
	type OnnxFields,
	wire,
} from "./onnx-fields.js";
import { notNumbers, shown, wrongWeights } from "./weights-error.js";

const entry = { key: 1, value: 2 } as const;
const externalLocation = 1;
const externalNumber = /^(0|[1-9]\d{0,14})$/;
/** How often the values of the other files may be used, by their length: tied weights are used twice. */
const timesUsedMax = 4;

export interface OtherFile {
	readonly path: string;
	readonly bytes: number;
}

/** By name. */
export type OtherFiles = ReadonlyMap<string, OtherFile>;

/** Of values in another file. */
export interface ExternalPlace {
	readonly path: string;
	readonly start: number;
	readonly end: number;
}

export class ExternalWeights {
	readonly #fields: OnnxFields;
	readonly #name: string;
	readonly #otherFiles: OtherFiles;
	readonly #bytesMax: number;
	#bytes = 0;

	/** @param name of the graph's file, for messages. */
	constructor(fields: OnnxFields, name: string, otherFiles: OtherFiles) {
		this.#fields = fields;
		this.#name = name;
		this.#otherFiles = otherFiles;
		this.#bytesMax =
			timesUsedMax *
			[...otherFiles.values()].reduce((sum, it) => sum + it.bytes, 0);
	}

	/** A StringStringEntryProto of `external_data`. */
	async readEntry(
		{ start, end }: Field,
		entries: Map<string, string>,
	): Promise<void> {
		const texts = { key: "", value: "" };
		for await (const part of this.#fields.walk(start, end))
			for (const name of ["key", "value"] as const)
				if (part.number === entry[name] && part.wire === wire.bytes)
					texts[name] = await this.#fields.text(part, nameBytesMax);
		if (entries.has(texts.key)) throw this.#wrong("", "have two places");
		entries.set(texts.key, texts.value);
	}

	/** @returns the place, which is inside the other file. @throws PackageError */
	placeOf(
		location: number,
		entries: ReadonlyMap<string, string>,
	): ExternalPlace {
		const name = entries.get("location") ?? "";
		const file = this.#otherFiles.get(name);
		const numbers = ["offset", "length"].map((it) => entries.get(it) ?? "");
		const isPlain =
			location === externalLocation &&
			entries.size === 3 &&
			numbers.every((it) => externalNumber.test(it));
		if (!file || !isPlain)
			throw new PackageError(
				`${this.#name} keeps its weights in another file: only graphs that contain their weights, or share those of another file of the package, are accepted`,
			);
		const [start = 0, length = 0] = numbers.map(Number);
		if (start + length > file.bytes)
			throw this.#wrong("", `are beyond the end of ${shown(name)}`);
		return { path: file.path, start, end: start + length };
	}

	/** @throws PackageError when they are no numbers */
	async check(
		weights: string,
		type: number,
		place: ExternalPlace,
	): Promise<void> {
		this.#bytes += place.end - place.start;
		if (this.#bytes > this.#bytesMax)
			throw this.#wrong(weights, "use another file too often");
		const file = await open(place.path, "r");
		try {
			if (await containsNaN(file, place, type))
				throw this.#wrong(weights, notNumbers);
		} finally {
			await file.close();
		}
	}

	#wrong(weights: string, what: string): PackageError {
		return wrongWeights(this.#name, weights, what);
	}
}
