/**
 * A folder of graphs as k2-fsa publishes them for sherpa-onnx, recognized by its files and the graphs' metadata: the contents of its manifest, and which of
 * its files are installed under which names.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { type ModelKindName, modelKinds, type ShapeKey } from "../kinds.js";
import type { Manifest } from "../manifest.js";
import type {
	DerivedFiles,
	GraphMetadata,
	ModelKind,
	PublishedFolder,
	PublishedKind,
	RewrittenFiles,
} from "../model-kind.js";
import { InstallRefusal, PackageError } from "./model-package.js";
import { readOnnxMetadata } from "./onnx-metadata.js";

export interface PublishedModel {
	readonly kind: Manifest["kind"];
	readonly languages: readonly string[];
	/** By the key of the kind's shape. */
	readonly shapes: Pick<Manifest, ShapeKey>;
	/** Current paths, by the name in the package. */
	readonly files: Readonly<Record<string, string>>;
	readonly derived: DerivedFiles;
	readonly rewritten: RewrittenFiles;
	/** Absent where the graph's name does not say. */
	readonly quantization?: string;
}

const tokensBytesMax = 16 * 1024 * 1024;

const publishedKinds = modelKinds.filter(
	({ published }) => published && !published.onlyIfWanted,
);

/**
 * @param kinds to look for. @param name of the folder as published, where it has another one now.
 * @throws PackageError when none of them matches.
 */
export async function readPublishedModel(
	folder: string,
	kinds: readonly ModelKind<ModelKindName>[] = publishedKinds,
	name = basename(folder),
): Promise<PublishedModel> {
	const opened = await openFolder(folder, name);
	let other: string | undefined;
	const matches: Match[] = [];
	for (const { name, shape, published } of kinds) {
		const part = published && graphsOf(published).find(opened.has);
		if (!shape || !published || part === undefined) continue;
		const graph = opened.pick(part, "int8");
		const metadata = await opened.metadata(graph);
		const suits = published.suits?.(metadata) ?? true;
		if ((published.types?.includes(metadata.type) ?? true) && suits)
			matches.push({ name, key: shape.key, published, graph, metadata });
		// several kinds may use the same name for their graph
		else other ??= `${graph} is of type ${metadata.type}`;
	}
	const [match, second] = matches;
	if (match && second)
		throw new InstallRefusal(
			`${folder} has two models, ${match.graph} (${match.name}) and ${second.graph} (${second.name}): put each in a folder of its own, or say which with --kind`,
		);
	if (match) return readMatch(folder, opened, match);
	if (other !== undefined) throw unknown(folder, other);
	const graphs = new Set(
		kinds.flatMap(({ published }) => (published ? graphsOf(published) : [])),
	);
	throw unknown(
		folder,
		`there is no ${[...graphs].map((it) => `${it}*.onnx`).join(" or ")}`,
	);
}

/** How the names of graphs begin by which a kind is recognized. */
function graphsOf({ graph }: Pick<PublishedKind<unknown>, "graph">) {
	return typeof graph === "string" ? [graph] : graph;
}

/** A kind whose graph is in the folder. */
interface Match {
	readonly name: ModelKindName;
	/** Of the kind's shape in the manifest. */
	readonly key: string;
	readonly published: NonNullable<ModelKind<ModelKindName>["published"]>;
	readonly graph: string;
	readonly metadata: GraphMetadata;
}

async function readMatch(
	folder: string,
	opened: PublishedFolder,
	{ name, key, published, graph, metadata }: Match,
): Promise<PublishedModel> {
	const parts = await published.read(opened, metadata);
	if ("unsuitable" in parts)
		throw new PackageError(
			`${folder} can't be a ${name} package: ${parts.unsuitable}`,
		);
	const files = Object.entries(parts.files);
	return {
		kind: name,
		languages: parts.languages,
		shapes: { [key]: parts.shape },
		files: Object.fromEntries(
			files.map(([name, from]) => [name, join(folder, from)]),
		),
		derived: published.derived ?? {},
		rewritten: published.rewritten ?? {},
		...(graph.endsWith(".onnx") && {
			quantization: isSmall(graph) ? "int8" : "fp32",
		}),
	};
}

async function openFolder(folder: string, name: string) {
	const names = await namesIn(folder);
	if (!names.includes("tokens.txt"))
		throw unknown(folder, "there is no tokens.txt");
	const tokensPath = join(folder, "tokens.txt");
	if ((await stat(tokensPath)).size > tokensBytesMax)
		throw new PackageError(`${folder}: tokens.txt is too large`);
	const tokens = await readFile(tokensPath, "utf8");
	const filesOf = (part: string) =>
		names.filter((it) => it.startsWith(part) && isGraph(it)).sort();
	return {
		name,
		tokens,
		has: (part) => filesOf(part).length > 0,
		pick: (part, prefer) => {
			const found = filesOf(part);
			const name =
				found.find((it) => isSmall(it) === (prefer === "int8")) ?? found[0];
			if (name === undefined)
				throw unknown(folder, `there is no ${part}*.onnx`);
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
	} satisfies PublishedFolder;
}

function isGraph(name: string): boolean {
	return name.endsWith(".onnx") || name.endsWith(".ort");
}

async function namesIn(folder: string): Promise<string[]> {
	try {
		const entries = await readdir(folder, { withFileTypes: true });
		return entries.filter((it) => it.isFile()).map((it) => it.name);
	} catch {
		throw new PackageError(`${folder} is not a model folder`);
	}
}

function graphMetadata(
	file: string,
	metadata: ReadonlyMap<string, string>,
): GraphMetadata & { readonly type: string } {
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

function isSmall(name: string): boolean {
	return name.endsWith(".int8.onnx");
}

function unknown(folder: string, why: string): PackageError {
	return new PackageError(
		`${folder} is not a supported model: ${why}; supported are earshot packages, and in sherpa-onnx's form transducers (zipformer, conformer, NeMo), CTC models (zipformer, WeNet, NeMo, Dolphin, FireRed), Paraformer, Moonshine, FireRed and SenseVoice`,
	);
}
