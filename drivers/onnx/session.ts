/**
 * ONNX Runtime behind the inference port. `run` blocks the event loop for the whole inference, so this is loaded in engine processes, never in the API's.
 *
 * Sessions on the CPU and in a vendor's library use the interface in capi/; the npm package includes the CPU's library.
 */
import { availableParallelism } from "node:os";
import type {
	InferencePort,
	InferenceSession,
	KernelLevel,
} from "../../runtime/models/inference-port.js";
import { versionOf } from "./capi/library.js";

export { kernelsOf } from "./capi/library.js";

import { nativeFilterbanks } from "./capi/filterbank.js";
import { loadLibrary, openCustomLibrary } from "./capi/session.js";
import type { CustomOptions } from "./capi/session-options.js";
import { stockLibraryPath } from "./capi/stock-library.js";
import { type OpenOn, ProcessorChooser, type Trials } from "./choice.js";
import { HostTensor } from "./host-tensor.js";
import { sessionEntries } from "./session-entries.js";

// From 1.30 on the library sends usage data with a device id to its vendor, and stores both in ~/.cache/Microsoft. It reads this variable with the first session.
process.env.ORT_DISABLE_TELEMETRY = "1";
// On GPUs from Hopper on it gives attention to cuDNN, which makes a plan for each new shape: 40 ms for each step of a decoder, whose past grows.
process.env.ORT_ENABLE_CUDNN_FLASH_ATTENTION ||= "0";

const custom = "custom:";

export interface OnnxSettings extends Partial<Trials> {
	/** Execution providers of a vendor's library: see capi/session-options.ts. */
	readonly customProviders?: readonly string[] | undefined;
	/** Default: auto. */
	readonly kernels?: KernelLevel | undefined;
}

export function openOnnx({
	customProviders = [],
	kernels: level = "auto",
	distrusted = [],
	onTry = async () => {},
}: OnnxSettings = {}): InferencePort {
	const open: OpenOn = async (path, options, processor) => {
		const { threads, memory, shared } = options;
		if (processor === "cpu" || processor === "reference") {
			const kernels = processor === "cpu" ? level : "none";
			return openThrough(stockLibraryPath(), path, {
				threads,
				memory,
				kernels,
				// without our kernels the library rearranges the values, and lets go of those in the file
				...(kernels !== "none" && { shared }),
				providers: [],
			});
		}
		if (isCustom(processor)) {
			const library = processor.slice(custom.length);
			// a vendor's providers must see operators that they support
			const kernels = "none";
			const providers = customProviders;
			return openThrough(library, path, { threads, kernels, providers });
		}
		// takes memory, so it is loaded only when needed
		const { openPackaged } = await import("./packaged.js");
		return openPackaged(path, options, processor);
	};
	const port: InferencePort = {
		tensor: (type, data, dims, isConstant) =>
			new HostTensor(type, data, dims, isConstant),
		open: (path, options) => chooser.open(path, options),
		filterbank: nativeFilterbanks(level),
	};
	const chooser = new ProcessorChooser(port, open, { distrusted, onTry });
	return port;
}

/** Loads the included library. @throws Error with the loader's message. @returns its version */
export function loadStockLibrary(): string {
	return versionOf(loadLibrary(stockLibraryPath()));
}

function isCustom(processor: string): processor is `custom:${string}` {
	return processor.startsWith(custom);
}

function openThrough(
	library: string,
	graph: string,
	options: Omit<CustomOptions, "entries">,
): InferenceSession {
	return openCustomLibrary(library, graph, {
		...options,
		threads: options.threads || availableParallelism(),
		entries: sessionEntries,
	});
}
