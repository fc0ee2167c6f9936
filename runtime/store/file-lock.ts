/**
 * flock(2): locks on open files that the kernel releases when their holder dies, for whatever reason. Node has no such call, so libc is called through ffi-rs
 * (5 to 10 us per call). It never blocks: callers that find the lock taken must retry.
 */
import { DataType, load, open } from "ffi-rs";

const library = "c";
const operations = { shared: 1, exclusive: 2 } as const; // <sys/file.h>
const unlockOperation = 8;
const withoutWaiting = 4;

let opened = false;

/** @returns whether this process has the lock now; also false where the file system does not support locks. */
export function tryLockFile(
	file: number,
	kind: keyof typeof operations,
): boolean {
	return flock(file, operations[kind] | withoutWaiting);
}

export function unlockFile(file: number): void {
	flock(file, unlockOperation);
}

function flock(file: number, operation: number): boolean {
	if (!opened) open({ library, path: "libc.so.6" });
	opened = true;
	const answer = load({
		library,
		funcName: "flock",
		retType: DataType.I32,
		paramsType: [DataType.I32, DataType.I32],
		paramsValue: [file, operation],
	});
	return answer === 0;
}
