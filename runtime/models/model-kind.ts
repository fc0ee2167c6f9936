/**
 * What earshot has to know of a kind of model package: its files, what its manifest tells of it, and, where it recognises speech, how a published one is
 * read and how it is opened. Each kind says so in the `kind.ts` of its folder; kinds.ts lists them.
 */

import type { Static, TSchema } from "@sinclair/typebox";
import type { Language } from "../text/languages.js";
import type { InferencePort, WantedProcessor } from "./inference-port.js";
import type { SpeechRecognizer } from "./recognizer.js";

export interface ModelKind<
	Name extends string = string,
	Key extends string = string,
	Shape extends TSchema = TSchema,
> {
	/** `kind` in model.json. */
	readonly name: Name;
	/** Files that a package of this kind can't do without. */
	readonly files: readonly string[];
	/** What model.json has to say as well, and under which key. */
	readonly shape?: { readonly key: Key; readonly schema: Shape };
	/** How the graphs that others publish become a package of this kind; absent: they are converted, or made here. */
	readonly published?: PublishedKind<Static<Shape>>;
	/** Absent where it recognises no speech. Lazy, so that a process that only lists packages loads no recognizer. */
	readonly open?: (
		opening: Opening<Static<Shape>>,
	) => Promise<SpeechRecognizer>;
}

/** A package of a speech recognizer that was checked. */
export interface Opening<Shape> {
	readonly port: InferencePort;
	readonly name: string;
	readonly languages: readonly Language[];
	readonly shape: Shape;
	/** Absolute path of one of the kind's files. */
	readonly path: (file: string) => string;
	/** Contents of one of the kind's files, UTF-8. */
	readonly text: (file: string) => Promise<string>;
	/** Inside one operator; 0: as many as there are cores. */
	readonly threads: number;
	/** Only of Whisper's graphs it is known what they must answer: other kinds run on the CPU. */
	readonly processor?: WantedProcessor;
}

export interface PublishedKind<Shape> {
	/** The graph that says of which type a published model is: its name begins so. */
	readonly graph: string;
	/** `model_type` in that graph's metadata. */
	readonly types: readonly string[];
	readonly read: (
		folder: PublishedFolder,
		metadata: GraphMetadata,
	) => Promise<PublishedParts<Shape>>;
}

export interface PublishedParts<Shape> {
	readonly languages: readonly string[];
	readonly shape: Shape;
	/** Names in the package, and those in the published folder. */
	readonly files: Readonly<Record<string, string>>;
}

/** A folder as others publish it. Errors say what is missing. */
export interface PublishedFolder {
	/** Contents of `tokens.txt`. */
	readonly tokens: string;
	/** The name of a part's graph, the one in eight bits where that is preferred. */
	pick(part: string, prefer: "int8" | "fp32"): string;
	metadata(file: string): Promise<GraphMetadata>;
}

/** What a graph says of itself. Errors name the file and the key. */
export interface GraphMetadata {
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
