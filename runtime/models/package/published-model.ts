/**
 * A folder of graphs as k2-fsa publishes them for sherpa-onnx, recognized by its files and the graphs' metadata: the contents of its manifest, and which of
 * its files are installed under which names.
 */
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
import {
	isSmall,
	type OpenedFolder,
	openFolder,
	unsupported,
} from "./published-folder.js";

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
	for (const one of kinds) {
		const { match, why } = await matchOf(one, opened);
		if (match) matches.push(match);
		// several kinds may use the same name for their graph
		else if (why?.isOfType) other = why.text;
		else other ??= why?.text;
	}
	const [match, second] = matches;
	if (match && second)
		throw new InstallRefusal(
			`${folder} has two models, ${match.graph} (${match.name}) and ${second.graph} (${second.name}): put each in a folder of its own, or say which with --kind`,
		);
	if (match) return readMatch(folder, opened, match);
	if (other !== undefined) throw unsupported(folder, other);
	const graphs = new Set(
		kinds.flatMap(({ published }) => (published ? graphsOf(published) : [])),
	);
	throw unsupported(
		folder,
		opened.missing([...graphs].map((it) => `${it}*.onnx`).join(" or ")),
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
	/** How the name of its graph begins, and the whole name. */
	readonly part: string;
	readonly graph: string;
	readonly metadata: GraphMetadata;
}

/** Not a match: what the first of its graphs is instead. */
interface Mismatch {
	readonly text: string;
	/** Of the kind's type, but in a form that it does not take. */
	readonly isOfType: boolean;
}

/** The first graph that suits: WeNet's folders have the same model in a form for streams beside it. */
async function matchOf(
	{ name, shape, published }: ModelKind<ModelKindName>,
	opened: OpenedFolder,
): Promise<{ readonly match?: Match; readonly why?: Mismatch }> {
	const part = published && graphsOf(published).find(opened.has);
	if (!shape || !published || part === undefined) return {};
	const { types, suits, unsuited } = published;
	const { key } = shape;
	let why: Mismatch | undefined;
	for (const graph of opened.graphs(part, "int8")) {
		const metadata = await opened.metadata(graph).catch((error) => {
			if (!why) throw error; // otherwise it is not the one that would be used
		});
		if (!metadata) continue;
		const isOfType = types?.includes(metadata.type) ?? true;
		if (isOfType && (suits?.(metadata) ?? true))
			return { match: { name, key, published, part, graph, metadata } };
		const form = isOfType && unsuited ? unsuited : "";
		why ??= {
			text: `${graph} is ${form}of type ${metadata.type}`,
			isOfType: form !== "",
		};
	}
	return why ? { why } : {};
}

async function readMatch(
	folder: string,
	opened: OpenedFolder,
	{ name, key, published, part, graph, metadata }: Match,
): Promise<PublishedModel> {
	const pick: PublishedFolder["pick"] = (wanted, prefer) =>
		wanted === part ? graph : opened.pick(wanted, prefer);
	const parts = await published.read({ ...opened, pick }, metadata);
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
