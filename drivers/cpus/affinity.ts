/**
 * Which CPUs a thread may run on: sched_setaffinity(2), through ffi-rs, because Node has no such call. What the thread starts later, threads and programs, inherits it.
 */
import { readFileSync } from "node:fs";
import { DataType, load, open } from "ffi-rs";
import { formatCpus, parseCpus } from "./cpu-list.js";

const library = "c-sched";
/** cpu_set_t of glibc: 1024 CPUs. */
const maskBytes = 128;

let isOpen = false;

/** Those that the calling thread may run on, in order. @throws where there is no /proc */
export function allowedCpus(): number[] {
	const status = readFileSync("/proc/thread-self/status", "utf8");
	const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1];
	const cpus = list === undefined ? undefined : parseCpus(list);
	if (!cpus) throw new Error("the kernel does not say which CPUs may be used");
	return cpus;
}

/** For the calling thread. @throws if none of them may be used, or if a sandbox forbids the call */
export function runOn(cpus: readonly number[]): void {
	const mask = Buffer.alloc(maskBytes);
	for (const cpu of cpus)
		if (cpu < 8 * maskBytes)
			mask[cpu >> 3] = (mask[cpu >> 3] ?? 0) | (1 << (cpu & 7));
	if (!isOpen) open({ library, path: "libc.so.6" });
	isOpen = true;
	const failed = load({
		library,
		funcName: "sched_setaffinity",
		retType: DataType.I32,
		paramsType: [DataType.I32, DataType.I64, DataType.U8Array],
		paramsValue: [0, maskBytes, mask],
	});
	if (failed !== 0)
		throw new Error(`this program may not run on CPU ${formatCpus(cpus)}`);
}
