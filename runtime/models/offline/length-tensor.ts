/** Inputs that say how many frames there are; exporters differ in their type. */
import type {
	InferencePort,
	InferenceSession,
	Tensor,
} from "../inference-port.js";

/** One number as the graph's input of this place takes it: int32 or int64. */
export function lengthTensor(
	port: InferencePort,
	session: InferenceSession,
	place: number,
	length: number,
): Tensor {
	return session.inputs[place]?.type === "int32"
		? port.tensor("int32", Int32Array.of(length), [1])
		: port.tensor("int64", BigInt64Array.of(BigInt(length)), [1]);
}
