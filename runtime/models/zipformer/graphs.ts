/** Opens the graphs of a zipformer transducer, with the features and symbols that belong to them. */
import { icefallFbank } from "../../features/front-end.js";
import type { KaldiFbank } from "../../features/kaldi-fbank.js";
import { expectSymbols } from "../graph-checks.js";
import type { InferenceOptions, InferencePort } from "../inference-port.js";
import { blank, Transducer } from "../transducer/transducer.js";
import {
	type TransducerPaths,
	withTransducerGraphs,
} from "../transducer-graphs.js";
import { SymbolTable } from "../writing/symbol-table.js";
import { ZipformerEncoder } from "./encoder.js";
import type { ZipformerShape } from "./shape.js";

export interface ZipformerSource extends TransducerPaths {
	readonly shape: ZipformerShape;
	/** Contents of `tokens.txt`. */
	readonly tokens: string;
}

export interface ZipformerGraphs {
	readonly fbank: KaldiFbank;
	readonly encoder: ZipformerEncoder;
	readonly transducer: Transducer;
	readonly symbols: SymbolTable;
	/** Tokens without text: blank first. */
	readonly silent: ReadonlySet<number>;
	close(): Promise<void>;
}

/** @throws ModelFault when graphs, symbols and shape do not match. */
export async function openZipformerGraphs(
	port: InferencePort,
	source: ZipformerSource,
	options: InferenceOptions,
): Promise<ZipformerGraphs> {
	const { shape, tokens } = source;
	const symbols = new SymbolTable(tokens, shape.units);
	expectSymbols(symbols, shape.vocabulary);
	const unknown = symbols.tokenOf("<unk>");
	return withTransducerGraphs(port, source, options, (graphs) => ({
		fbank: icefallFbank(shape.mels, port.filterbank),
		encoder: new ZipformerEncoder(port, graphs.encoder, shape),
		transducer: new Transducer(
			port,
			graphs.decoder,
			graphs.joiner,
			shape.contextSize,
			shape.vocabulary,
		),
		symbols,
		silent: new Set(unknown === undefined ? [blank] : [blank, unknown]),
		close: graphs.close,
	}));
}
