/**
 * ONNX Runtime through its npm package: the processors that its build supports besides the CPU. This is the only file that uses onnxruntime-node.
 *
 * Not for the CPU: outputs of a run are copied into JavaScript's memory, and tensors that are passed on are copied back, which takes a third of the
 * recognition's time (docs/benchmarks/rejected.md).
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

/** Processors that onnxruntime-node supports by name. */
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
		// the arena keeps memory for every shape: 60 MB more after 40 requests, and no faster
		enableCpuMemArena: false,
		enableMemPattern: false, // shapes change at every step
		logSeverityLevel: 3,
		extra: sessionEntries,
	});
	return {
		inputNames: session.inputNames,
		inputs: session.inputMetadata.map((it) => ({
			name: it.name,
			type: it.isTensor ? it.type : "not a tensor",
			dims: it.isTensor ? it.shape : [],
		})),
		outputNames: session.outputNames,
		async run(feeds, fetches, into = {}) {
			const inputs: Record<string, ort.Tensor> = {};
			for (const name in feeds) inputs[name] = native(feeds[name] as Tensor);
			const outputs = await session.run(inputs, fetches);
			const wrapped: Record<string, Tensor> = {};
			for (const name of fetches)
				wrapped[name] = received(outputs[name] as ort.Tensor, into[name]);
			return wrapped;
		},
		close: () => session.release(),
	};
}

/** Operators for which a processor has no kernel run on the CPU. */
function providersOf(
	processor: PackagedProcessor,
): ort.InferenceSession.ExecutionProviderConfig[] {
	switch (processor) {
		case "cpu":
			return ["cpu"];
		case "webgpu":
			// the default layout (NHWC) rewrites shapes that our graphs compute, which leads to indices out of bounds
			return [{ name: "webgpu", preferredLayout: "NCHW" }, "cpu"];
		case "cuda":
			return ["cuda", "cpu"];
		case "tensorrt":
			return ["tensorrt", "cuda", "cpu"];
	}
}

/** @param into where the caller wants the values. @throws Error when it is of another shape. */
function received(output: ort.Tensor, into: Tensor | undefined): Tensor {
	const found = new OnnxTensor(output);
	if (!into) return found;
	if (into.type !== found.type || `${into.dims}` !== `${found.dims}`)
		throw new Error(`an output is [${found.dims}], not [${into.dims}]`);
	(into.data as Float32Array).set(found.data as Float32Array);
	found.dispose();
	return into;
}

/** A tensor of another library is copied. */
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
