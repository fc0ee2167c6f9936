/**
 * V8's garbage collector in a process that hears files. What ONNX Runtime returns counts as memory of V8's, so every few steps of the decoder have the
 * whole heap looked through. By default threads of V8's own do that, on cores that are all busy hearing; the thread itself does it with a sixth less work
 * in all (BENCHMARKS.md).
 */
import { setFlagsFromString } from "node:v8";

/** To be called before anything else: a collection that has begun keeps its threads. */
export function collectWithoutThreads(): void {
	setFlagsFromString("--no-concurrent-marking");
}
