/**
 * ONNX Runtime behind the inference port. The only file that touches onnxruntime-node.
 * `run` blocks the event loop for the whole inference, so this is loaded in engine processes, never in the API's.
 */
import { availableParallelism } from "node:os";
import ort from "onnxruntime-node";
import type {
	InferenceOptions,
	InferencePort,
	InferenceSession,
	Processor,
	Tensor,
	TensorData,
	TensorType,
} from "../../runtime/models/inference-port.js";
import { type OpenOn, ProcessorChooser, type Trials } from "./choice.js";

// From 1.30 on the library sends what it runs, with a number of this device, to its maker, and keeps both in ~/.cache/Microsoft. Read with the first session.
process.env.ORT_DISABLE_TELEMETRY = "1";

/** Of every session, whoever's library computes it. */
const sessionEntries = {
	"session.intra_op.allow_spinning": "1",
	// the pools of encoder, decoder and VAD would fight for the cores between runs
	"session.force_spinning_stop": "1",
	// a MatMul over denormals costs a hundred times as much
	"session.set_denormal_as_zero": "1",
};

export interface OnnxSettings extends Partial<Trials> {
	/** Execution providers of a vendor's library: see custom/session-options.ts. */
	readonly customProviders?: readonly string[] | undefined;
}

export function openOnnx({
	customProviders = [],
	distrusted = [],
	onTry = async () => {},
}: OnnxSettings = {}): InferencePort {
	const open: OpenOn = (path, options, processor) =>
		isCustom(processor)
			? openCustom(processor, path, options.threads, customProviders)
			: openSession(path, options, processor);
	const port: InferencePort = {
		tensor: makeTensor,
		open: (path, options) => chooser.open(path, options),
	};
	const chooser = new ProcessorChooser(port, open, { distrusted, onTry });
	return port;
}

type Custom = Extract<Processor, `custom:${string}`>;

function isCustom(processor: Processor): processor is Custom {
	return processor.startsWith("custom:");
}

async function openCustom(
	processor: Custom,
	path: string,
	threads: number,
	providers: readonly string[],
): Promise<InferenceSession> {
	// costs memory: loaded where it is wanted
	const { openCustomLibrary } = await import("./custom/session.js");
	return openCustomLibrary(processor.slice("custom:".length), path, {
		threads: threads || availableParallelism(),
		entries: sessionEntries,
		providers,
	});
}

async function openSession(
	path: string,
	options: InferenceOptions,
	processor: Exclude<Processor, Custom>,
): Promise<InferenceSession> {
	const session = await ort.InferenceSession.create(path, {
		executionProviders: providersOf(processor),
		intraOpNumThreads: options.threads || availableParallelism(),
		interOpNumThreads: 1,
		executionMode: "sequential",
		graphOptimizationLevel: "all",
		// the arena keeps every shape it ever saw: 60 MB more after 40 requests, and no faster
		enableCpuMemArena: false,
		enableMemPattern: false, // shapes change at every step
		logSeverityLevel: 3,
		extra: sessionEntries,
	});
	return {
		inputNames: session.inputNames,
		inputs: session.inputMetadata.map((it) => ({
			name: it.name,
			type: it.isTensor ? it.type : "no tensor",
			dims: it.isTensor ? it.shape : [],
		})),
		outputNames: session.outputNames,
		async run(feeds, fetches) {
			const inputs: Record<string, ort.Tensor> = {};
			for (const name in feeds) inputs[name] = native(feeds[name] as Tensor);
			const outputs = await session.run(inputs, fetches);
			const wrapped: Record<string, Tensor> = {};
			for (const name of fetches)
				wrapped[name] = new OnnxTensor(outputs[name] as ort.Tensor);
			return wrapped;
		},
		close: () => session.release(),
	};
}

/** Whatever a processor has no kernel for stays on the CPU. */
function providersOf(
	processor: Exclude<Processor, Custom>,
): ort.InferenceSession.ExecutionProviderConfig[] {
	switch (processor) {
		case "cpu":
			return ["cpu"];
		case "webgpu":
			// its own layout (NHWC) rewrites shapes that our graphs compute: indices out of bounds
			return [{ name: "webgpu", preferredLayout: "NCHW" }, "cpu"];
		case "cuda":
			return ["cuda", "cpu"];
		case "tensorrt":
			return ["tensorrt", "cuda", "cpu"];
	}
}

function makeTensor(
	type: TensorType,
	data: TensorData,
	dims: readonly number[],
): Tensor {
	return new OnnxTensor(new ort.Tensor(type, data as Float32Array, dims));
}

/** One that another library made is copied. */
function native(tensor: Tensor): ort.Tensor {
	if (tensor instanceof OnnxTensor) return tensor.inner;
	const { type, data, dims } = tensor;
	return new ort.Tensor(type, data as Float32Array, dims);
}

class OnnxTensor implements Tensor {
	constructor(readonly inner: ort.Tensor) {}

	get type(): TensorType {
		return this.inner.type as TensorType;
	}

	get dims(): readonly number[] {
		return this.inner.dims;
	}

	get data(): TensorData {
		return this.inner.data as TensorData;
	}

	dispose(): void {
		if (this.inner.location !== "none") this.inner.dispose();
	}
}
