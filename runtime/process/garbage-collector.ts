/**
 * V8's garbage collector, set for what a process does. Its defaults spend memory, threads and pauses on throughput.
 * To be called before anything else: what a collection has begun with, it keeps.
 */
import { setFlagsFromString } from "node:v8";

/**
 * For a process that transcribes files. Audio and features are megabytes a second, so the whole heap is marked every few seconds: V8 marks on its own threads,
 * on cores that are all busy with recognition; marking on the main thread costs less in all (docs/benchmarks/rejected.md).
 */
export function collectWithoutThreads(): void {
	setFlagsFromString("--no-concurrent-marking");
}

/**
 * For a process that answers many clients. New objects are collected at each 1 or 2 MB instead of up to 16: a pause is as long as what survives it, and nothing
 * else is answered meanwhile. Costs no more processor time in all, and takes a sixth less memory (docs/benchmarks/console.md).
 */
export function collectOften(): void {
	// the maximum itself is only read when a process starts
	setFlagsFromString("--semi-space-growth-factor=1");
}
