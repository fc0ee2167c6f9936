/**
 * ONNX Runtime through its npm package: the processors that its build knows beside the CPU. The only file that touches onnxruntime-node.
 *
 * Not for the CPU: what a run gives is copied into JavaScript's memory, and every tensor that is handed on back again, which takes a third of the time that
 * hearing takes (docs/benchmarks/rejected.md).
 */
import { availableParallelism } from "node:os";
import ort from "onnxruntime-node";
import type {
	InferenceOptions,
	InferenceSession,
	Processor,
	Tensor,
	TensorData,
	TensorType,
} from "../../runtime/models/inference-port.js";
import { sessionEntries } from "./session-entries.js";

/** Those that onnxruntime-node is asked for by name. */
export type PackagedProcessor = Exclude<Processor, `custom:${string}`>;

export async function openPackaged(
	path: string,
	options: InferenceOptions,
	processor: PackagedProcessor,
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
	processor: PackagedProcessor,
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

	copyTo(values: Float32Array): void {
		values.set(this.data as Float32Array);
	}

	dispose(): void {
		if (this.inner.location !== "none") this.inner.dispose();
	}
}
