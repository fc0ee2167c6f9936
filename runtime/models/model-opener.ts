/** How a kind of model opens its recognizer. */
import type { Language } from "../text/languages.js";
import type { InferencePort } from "./inference-port.js";
import type { Opening } from "./model-kind.js";
import type { SpeechRecognizer } from "./recognizer.js";

/** @throws ModelFault when graphs, symbols and shape do not match; nothing stays open then. */
export type ModelOpener<Source, Model> = (
	port: InferencePort,
	source: Source,
	options: { readonly threads: number },
) => Promise<Model>;

export interface NamedModel {
	readonly name: string;
	readonly languages: readonly Language[];
}

/** What most kinds are opened from, besides the paths of their graphs. */
type Tokens<Shape> = Pick<Opening<Shape>, "name" | "languages" | "shape"> & {
	/** Contents of `tokens.txt`. */
	readonly tokens: string;
};

/** `open` of a kind with graphs and `tokens.txt`. @param load the code of the recognizer. @param pathsOf its graphs. */
export function openWithTokens<Shape, Paths>(
	load: () => Promise<ModelOpener<Tokens<Shape> & Paths, SpeechRecognizer>>,
	pathsOf: (path: (file: string) => string, shape: Shape) => Paths,
) {
	return async ({
		port,
		path,
		text,
		threads,
		...opening
	}: Opening<Shape>): Promise<SpeechRecognizer> => {
		const open = await load();
		const tokens = await text("tokens.txt");
		const { name, languages, shape } = opening;
		const source = { name, languages, shape, tokens };
		return open(port, { ...source, ...pathsOf(path, shape) }, { threads });
	};
}
