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
import { openChosen } from "./choice.js";

// From 1.30 on the library sends what it runs, with a number of this device, to its maker, and keeps both in ~/.cache/Microsoft. Read with the first session.
process.env.ORT_DISABLE_TELEMETRY = "1";

export function openOnnx(): InferencePort {
	const port: InferencePort = {
		tensor: makeTensor,
		open: (path, options) => openChosen(port, openSession, path, options),
	};
	return port;
}

async function openSession(
	path: string,
	options: InferenceOptions,
	processor: Processor,
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
		extra: {
			session: {
				intra_op: { allow_spinning: "1" },
				// the pools of encoder, decoder and VAD would fight for the cores between runs
				force_spinning_stop: "1",
				// a MatMul over denormals costs a hundred times as much
				set_denormal_as_zero: "1",
			},
		},
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
	processor: Processor,
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

function native(tensor: Tensor): ort.Tensor {
	if (!(tensor instanceof OnnxTensor))
		throw new TypeError("a tensor of another inference port");
	return tensor.inner;
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
