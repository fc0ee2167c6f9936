/** Opens the tiny models: their tokens as the search finds them, and recognizers. */
import { readFileSync } from "node:fs";
import { openOnnx } from "../../drivers/onnx/session.js";
import { openCtcModel } from "../../runtime/models/ctc/recognizer.js";
import { openFireRedModel } from "../../runtime/models/fire-red/recognizer.js";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import { modelKindOf } from "../../runtime/models/kinds.js";
import { moonshinePaths } from "../../runtime/models/moonshine/kind.js";
import { openMoonshineModel } from "../../runtime/models/moonshine/recognizer.js";
import { openNemoTransducerModel } from "../../runtime/models/nemo-transducer/recognizer.js";
import type {
	FoundTokens,
	TokenModel,
	TokenRequest,
} from "../../runtime/models/offline/token-model.js";
import { readPublishedModel } from "../../runtime/models/package/published-model.js";
import { openParaformerModel } from "../../runtime/models/paraformer/recognizer.js";
import type { SpeechRecognizer } from "../../runtime/models/recognizer.js";
import type { StreamingModel } from "../../runtime/models/streaming/recognizer.js";
import { openStreamingCtcModel } from "../../runtime/models/streaming-ctc/recognizer.js";
import { openStreamingParaformerModel } from "../../runtime/models/streaming-paraformer/recognizer.js";
import { openTransducerModel } from "../../runtime/models/transducer/recognizer.js";
import type { TimedToken } from "../../runtime/models/writing/token-writing.js";
import type { Language } from "../../runtime/text/languages.js";

const oneThread = { threads: 1 } as const;

/** The offline model in a published folder. */
export async function openModel(
	folder: string,
	port: InferencePort = openOnnx(),
): Promise<TokenModel> {
	const { files, shapes } = await readPublishedModel(folder);
	const path = (file: string) => files[file] ?? "";
	const tokens = readFileSync(path("tokens.txt"), "utf8");
	const threeGraphs = {
		tokens,
		encoderPath: path("encoder.onnx"),
		decoderPath: path("decoder.onnx"),
		joinerPath: path("joiner.onnx"),
	};
	const oneGraph = { tokens, modelPath: path("model.onnx") };
	if (shapes.transducer)
		return openTransducerModel(
			port,
			{ ...threeGraphs, shape: shapes.transducer },
			oneThread,
		);
	if (shapes.nemoTransducer)
		return openNemoTransducerModel(
			port,
			{ ...threeGraphs, shape: shapes.nemoTransducer },
			oneThread,
		);
	if (shapes.ctc)
		return openCtcModel(port, { ...oneGraph, shape: shapes.ctc }, oneThread);
	if (shapes.paraformer)
		return openParaformerModel(
			port,
			{ ...oneGraph, shape: shapes.paraformer },
			oneThread,
		);
	if (shapes.moonshine) {
		const paths = moonshinePaths(shapes.moonshine, path);
		return openMoonshineModel(port, { paths, tokens }, oneThread);
	}
	if (shapes.fireRed)
		return openFireRedModel(
			port,
			{ ...threeGraphs, shape: shapes.fireRed },
			oneThread,
		);
	return wholeSegments(await openStreaming(folder, port));
}

/** The streaming model in a published folder. */
export async function openStreaming(
	folder: string,
	port: InferencePort = openOnnx(),
): Promise<StreamingModel> {
	const { files, shapes } = await readPublishedModel(folder);
	const path = (file: string) => files[file] ?? "";
	const tokens = readFileSync(path("tokens.txt"), "utf8");
	if (shapes.streamingCtc)
		return openStreamingCtcModel(
			port,
			{
				tokens,
				modelPath: path("model.onnx"),
				shape: shapes.streamingCtc,
			},
			oneThread,
		);
	if (shapes.streamingParaformer)
		return openStreamingParaformerModel(
			port,
			{
				tokens,
				encoderPath: path("encoder.onnx"),
				decoderPath: path("decoder.onnx"),
				shape: shapes.streamingParaformer,
			},
			oneThread,
		);
	throw new Error(`${folder} is of another kind`);
}

/** What a stream gets at once: odd on purpose. */
const pieceSamples = 2953;

/** Streams that get their segment in odd pieces: after each, its tokens are asked for. */
function wholeSegments({ symbols, open, close }: StreamingModel): TokenModel {
	const tokensOf = async (request: TokenRequest): Promise<FoundTokens> => {
		const { samples, cancelled } = request;
		const stream = open(request);
		for (let end = pieceSamples; end < samples.length; end += pieceSamples)
			await stream.decode(samples.subarray(0, end), true, cancelled);
		return stream.decode(samples, false, cancelled);
	};
	return {
		symbols,
		close,
		togetherMax: 1,
		tokensOf: (requests) => Promise.all(requests.map(tokensOf)),
	};
}

/** The recognizer in a published folder, as an engine opens it. */
export async function openPublished(
	folder: string,
	port: InferencePort = openOnnx(),
	threads = 1,
): Promise<SpeechRecognizer> {
	const { kind, files, shapes, languages } = await readPublishedModel(folder);
	const { open, shape } = modelKindOf(kind);
	const path = (file: string) => files[file] ?? "";
	if (!open || !shape) throw new Error(`${kind} recognizes no speech`);
	return open({
		port,
		name: kind,
		languages: languages as Language[],
		shape: shapes[shape.key as keyof typeof shapes] as never,
		path,
		has: (file) => file in files,
		text: async (file) => readFileSync(path(file), "utf8"),
		threads,
	});
}

export async function tokensOf(
	model: TokenModel,
	request: Partial<TokenRequest> & Pick<TokenRequest, "samples">,
): Promise<readonly TimedToken[]> {
	const [found] = await model.tokensOf([
		{
			language: "zh-cmn-Hans-CN",
			beam: 1,
			bias: undefined,
			cancelled: () => false,
			...request,
		},
	]);
	if (found === undefined || found === "cancelled")
		throw new Error("cancelled");
	return found;
}
