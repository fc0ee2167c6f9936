/**
 * V8's garbage collector in a process that hears files. Sound and features are megabytes a second, so the whole heap is looked through every few seconds.
 * By default threads of V8's own do that, on cores that are all busy hearing; the thread itself does it with less work in all (docs/benchmarks/rejected.md).
 */
import { setFlagsFromString } from "node:v8";

/** To be called before anything else: a collection that has begun keeps its threads. */
export function collectWithoutThreads(): void {
	setFlagsFromString("--no-concurrent-marking");
}
