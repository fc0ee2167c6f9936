/** The files in a folder of published graphs: their names by part, and what their metadata says. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ModelFault } from "../model-fault.js";
import type { GraphMetadata, PublishedFolder } from "../model-kind.js";
import { symbolsOf } from "../writing/symbol-table.js";
import { PackageError } from "./model-package.js";
import { readOnnxMetadata } from "./onnx-metadata.js";

const tokensName = "tokens.txt";
const tokensBytesMax = 16 * 1024 * 1024;

export interface OpenedFolder extends PublishedFolder {
	/** Says that there is no such file. */
	missing(what: string): string;
	/** The file names of a part's graphs, those in the preferred precision first. */
	graphs(part: string, prefer: "int8" | "fp32"): readonly string[];
	metadata(file: string): Promise<TypedMetadata>;
}

type TypedMetadata = GraphMetadata & { readonly type: string };

/** @throws PackageError where it has no `tokens.txt`. */
export async function openFolder(
	folder: string,
	name: string,
): Promise<OpenedFolder> {
	const { names, hasLinks } = await entriesIn(folder);
	const missing = (what: string) =>
		`there is no ${what}${hasLinks ? " that is a file (links, as in the cache of Hugging Face, are not followed: cp -rL makes a copy with the files)" : ""}`;
	if (!names.includes(tokensName))
		throw unsupported(folder, missing(tokensName));
	const tokensPath = join(folder, tokensName);
	if ((await stat(tokensPath)).size > tokensBytesMax)
		throw new PackageError(`${folder}: tokens.txt is too large`);
	const tokens = await readFile(tokensPath, "utf8");
	refuseOtherLists(folder, tokens);
	const graphs = (part: string, prefer: "int8" | "fp32") => {
		const isOther = (it: string) => isSmall(it) !== (prefer === "int8");
		return names
			.filter((it) => it.startsWith(part) && isGraph(it))
			.sort()
			.sort((a, b) => Number(isOther(a)) - Number(isOther(b)));
	};
	return {
		name,
		tokens,
		graphs,
		missing,
		has: (part) => graphs(part, "int8").length > 0,
		pick: (part, prefer) => {
			const [name] = graphs(part, prefer);
			if (name === undefined)
				throw unsupported(folder, missing(`${part}*.onnx`));
			return name;
		},
		// ONNX Runtime's own format has none
		metadata: async (file) =>
			graphMetadata(
				file,
				file.endsWith(".onnx")
					? await readOnnxMetadata(join(folder, file))
					: new Map(),
			),
	};
}

/** As git leaves a file that was not fetched, or a list without numbers. @throws PackageError */
function refuseOtherLists(folder: string, tokens: string): void {
	try {
		symbolsOf(tokens);
	} catch (error) {
		if (!(error instanceof ModelFault)) throw error;
		throw new PackageError(`${folder}: ${error.message}`, { cause: error });
	}
}

function isGraph(name: string): boolean {
	return name.endsWith(".onnx") || name.endsWith(".ort");
}

async function entriesIn(folder: string) {
	try {
		const entries = await readdir(folder, { withFileTypes: true });
		const isPart = (name: string) => name === tokensName || isGraph(name);
		return {
			names: entries.filter((it) => it.isFile()).map((it) => it.name),
			hasLinks: entries.some((it) => it.isSymbolicLink() && isPart(it.name)),
		};
	} catch {
		throw new PackageError(`${folder} is not a model folder`);
	}
}

function graphMetadata(
	file: string,
	metadata: ReadonlyMap<string, string>,
): TypedMetadata {
	return {
		type: metadata.get("model_type") ?? "unnamed",
		has: (key) => metadata.has(key),
		text: (key) => metadata.get(key) ?? "",
		integer: (key) => {
			const text = metadata.get(key);
			const value = Number(text);
			if (text !== undefined && Number.isInteger(value)) return value;
			throw new PackageError(
				`${file}: its metadata has no number ${key}${text === undefined ? "" : ` but ${JSON.stringify(text.slice(0, 40))}`}`,
			);
		},
		numbers: (key) => {
			const values = (metadata.get(key) ?? "").split(",").map(Number);
			if (values.length < 2 || values.some((it) => !Number.isFinite(it)))
				throw new PackageError(`${file}: its metadata has no numbers ${key}`);
			return values;
		},
	};
}

export function isSmall(name: string): boolean {
	return name.endsWith(".int8.onnx");
}

export function unsupported(folder: string, why: string): PackageError {
	return new PackageError(
		`${folder} is not a supported model: ${why}; supported are earshot packages, and in sherpa-onnx's form transducers (zipformer, conformer, NeMo), CTC models (zipformer, WeNet, NeMo, Dolphin, FireRed), Paraformer, Moonshine, FireRed and SenseVoice`,
	);
}
