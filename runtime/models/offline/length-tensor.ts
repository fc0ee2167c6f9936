/** Inputs of one number, a length or a token; exporters differ in their type. */
import type {
	InferencePort,
	InferenceSession,
	Tensor,
} from "../inference-port.js";

/** One number as the graph's input of this place takes it: int32 or int64. @param dims all 1 */
export function lengthTensor(
	port: InferencePort,
	session: InferenceSession,
	place: number,
	length: number,
	dims: readonly number[] = [1],
): Tensor {
	return session.inputs[place]?.type === "int32"
		? port.tensor("int32", Int32Array.of(length), dims)
		: port.tensor("int64", BigInt64Array.of(BigInt(length)), dims);
}
