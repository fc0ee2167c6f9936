/**
 * flock(2): locks on open files that the kernel gives back when their holder dies, however it does. Node has none of its own, so libc's is called, through
 * ffi-rs (5 to 10 us a call). It never waits here: who finds the lock taken comes again.
 */
import { DataType, load, open } from "ffi-rs";

const library = "c";
const operations = { shared: 1, exclusive: 2 } as const; // <sys/file.h>
const unlockOperation = 8;
const withoutWaiting = 4;

let opened = false;

/** @returns whether this process has the lock now; false also where the file's system knows no locks. */
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
