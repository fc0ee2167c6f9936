/**
 * V8's garbage collector in a process that transcribes files. Audio and features are megabytes a second, so the whole heap is marked every few seconds.
 * By default V8 marks on its own threads, on cores that are all busy with recognition; marking on the main thread costs less in all (docs/benchmarks/rejected.md).
 */
import { setFlagsFromString } from "node:v8";

/** Call this before anything else: a collection that has begun keeps its threads. */
export function collectWithoutThreads(): void {
	setFlagsFromString("--no-concurrent-marking");
}
