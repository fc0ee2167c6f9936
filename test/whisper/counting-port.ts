import type {
	InferencePort,
	Tensor,
} from "../../runtime/models/inference-port.js";
import { keptGraphs as inner } from "./kept-graphs.js";

/** The real port, counting outputs of runs that were not disposed. */
export function countingPort(): { port: InferencePort; alive: () => number } {
	let count = 0;
	const watch = (tensor: Tensor) => {
		count++;
		const dispose = tensor.dispose.bind(tensor);
		let disposed = false;
		tensor.dispose = () => {
			if (!disposed) count--;
			disposed = true;
			dispose();
		};
	};
	return {
		alive: () => count,
		port: {
			tensor: inner.tensor,
			async open(path, options) {
				const session = await inner.open(path, options);
				return {
					inputNames: session.inputNames,
					inputs: session.inputs,
					outputNames: session.outputNames,
					close: () => session.close(),
					async run(feeds, fetches) {
						const outputs = await session.run(feeds, fetches);
						for (const tensor of Object.values(outputs)) watch(tensor);
						return outputs;
					},
				};
			},
		},
	};
}
