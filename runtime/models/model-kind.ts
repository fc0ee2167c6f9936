/**
 * The definition of a kind of model package: its files, its part of the manifest, and, for speech recognizers, how a published model is read and how a
 * package is opened. Each kind is defined in the `kind.ts` of its folder; kinds.ts lists them.
 */

import type { Static, TSchema } from "@sinclair/typebox";
import type { Language } from "../text/languages.js";
import type {
	InferencePort,
	SharedConstants,
	WantedProcessor,
} from "./inference-port.js";
import type { SpeechRecognizer } from "./recognizer.js";
import type { RefinerOptions } from "./refinement.js";

export interface ModelKind<
	Name extends string = string,
	Key extends string = string,
	Shape extends TSchema = TSchema,
> {
	/** `kind` in model.json. */
	readonly name: Name;
	/** Files that a package of this kind must have. */
	readonly files: readonly string[];
	/** Additional contents of model.json, and their key. */
	readonly shape?: { readonly key: Key; readonly schema: Shape };
	/** A segment that grows is decoded from where it ended before, so that a partial costs only what is new. */
	readonly isStreaming?: boolean;
	/** How published graphs become a package of this kind; absent: packages of this kind are only made by earshot. */
	readonly published?: PublishedKind<Static<Shape>>;
	/** Absent where the kind is not a speech recognizer. Lazy, so that a process that only lists packages loads no recognizer. */
	readonly open?: (
		opening: Opening<Static<Shape>>,
	) => Promise<SpeechRecognizer>;
}

/** A checked package of a speech recognizer. */
export interface Opening<Shape> {
	readonly port: InferencePort;
	readonly name: string;
	readonly languages: readonly Language[];
	readonly shape: Shape;
	/** Absolute path of one of the kind's files. */
	readonly path: (file: string) => string;
	/** Whether the package has an optional file. */
	readonly has?: (file: string) => boolean;
	/** Contents of one of the kind's files, UTF-8. */
	readonly text: (file: string) => Promise<string>;
	/** The large constants of one of the kind's graphs, for other graphs that have them too. */
	readonly constants?: (file: string) => Promise<SharedConstants>;
	/** Threads inside one operator; 0: one per core. */
	readonly threads: number;
	/** Only Whisper has probes for other processors: other kinds run on the CPU. */
	readonly processor?: WantedProcessor;
	/** Only Whisper scores texts for one. */
	readonly refiner?: RefinerOptions;
}

export interface PublishedKind<Shape> {
	/** How the name begins of the graph by whose metadata the published model is recognized; several: of the first of them that is there. */
	readonly graph: string | readonly string[];
	/** `model_type` in that graph's metadata. Absent: the kind is recognized without it. */
	readonly types?: readonly string[];
	/** Several kinds have graphs of the same type: whether this one is of this kind. Default: it is. */
	readonly suits?: (metadata: GraphMetadata) => boolean;
	/** What a graph is that does not, for messages, with a space behind it. */
	readonly unsuited?: string;
	/** Another kind has the same graphs: this one only if it is asked for by name. */
	readonly onlyIfWanted?: boolean;
	readonly derived?: DerivedFiles;
	readonly rewritten?: RewrittenFiles;
	readonly read: (
		folder: PublishedFolder,
		metadata: GraphMetadata,
	) => Promise<PublishedParts<Shape> | Unsuitable>;
}

/** Further files of a package, by name, which are computed when it is installed. */
export type DerivedFiles = Readonly<Record<string, () => Promise<Uint8Array>>>;

/** Files of a package, by name, which are rewritten when it is installed, from the path of the published one; undefined where it is best copied. */
export type RewrittenFiles = Readonly<
	Record<string, (path: string) => Promise<Uint8Array | undefined>>
>;

export interface PublishedParts<Shape> {
	/** Empty where the files do not say: then they have to be given. */
	readonly languages: readonly string[];
	readonly shape: Shape;
	/** Names in the published folder, by name in the package. */
	readonly files: Readonly<Record<string, string>>;
}

/** The graphs are of the kind's type, but not what the kind needs. */
export interface Unsuitable {
	readonly unsuitable: string;
}

/** A published model's folder. Errors name what is missing. */
export interface PublishedFolder {
	/** Its name as published. */
	readonly name: string;
	/** Contents of `tokens.txt`. */
	readonly tokens: string;
	/** Whether there is a graph of this part. */
	has(part: string): boolean;
	/** The file name of a part's graph, in the preferred precision where there are several. */
	pick(part: string, prefer: "int8" | "fp32"): string;
	metadata(file: string): Promise<GraphMetadata>;
}

/** The metadata of a graph. Errors name the file and the key. */
export interface GraphMetadata {
	has(key: string): boolean;
	/** @returns "" where there is none. */
	text(key: string): string;
	integer(key: string): number;
	numbers(key: string): number[];
}

/** Keeps the literal types of a kind's name and key. */
export function modelKind<
	const Name extends string,
	const Key extends string = never,
	Shape extends TSchema = never,
>(kind: ModelKind<Name, Key, Shape>): ModelKind<Name, Key, Shape> {
	return kind;
}
