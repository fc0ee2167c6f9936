/** The three graphs of a transducer, each in a file of its own as sherpa-onnx has them: encoder, decoder (the prediction network) and joiner. */
import type {
	InferenceOptions,
	InferencePort,
	InferenceSession,
} from "./inference-port.js";
import { OpenGraphs } from "./open-graphs.js";

/** Of a package. */
export const transducerFiles = [
	"encoder.onnx",
	"decoder.onnx",
	"joiner.onnx",
	"tokens.txt",
] as const;

export interface TransducerPaths {
	readonly encoderPath: string;
	readonly decoderPath: string;
	readonly joinerPath: string;
}

export interface TransducerGraphs {
	readonly encoder: InferenceSession;
	readonly decoder: InferenceSession;
	readonly joiner: InferenceSession;
	close(): Promise<void>;
}

/** @param path of a file of the package. */
export function transducerPaths(
	path: (file: string) => string,
): TransducerPaths {
	return {
		encoderPath: path("encoder.onnx"),
		decoderPath: path("decoder.onnx"),
		joinerPath: path("joiner.onnx"),
	};
}

/** Too little work to share between threads: that of decoder and joiner. */
const oneThread = { threads: 1 };

/** @param use checks the graphs; when it throws, they are closed. @param options of the encoder. */
export function withTransducerGraphs<Made>(
	port: InferencePort,
	{ encoderPath, decoderPath, joinerPath }: TransducerPaths,
	options: InferenceOptions,
	use: (graphs: TransducerGraphs) => Made,
): Promise<Made> {
	return OpenGraphs.with(port, options, async (graphs) => {
		const encoder = await graphs.open(encoderPath);
		const decoder = await graphs.open(decoderPath, oneThread);
		const joiner = await graphs.open(joinerPath, oneThread);
		return use({ encoder, decoder, joiner, close: () => graphs.close() });
	});
}
