/**
 * malloc_trim(3) of glibc, through ffi-rs: returns freed memory to the system. After much work an allocator keeps what it freed, a third of an engine's size,
 * because pieces in between are still used.
 */
import { DataType, load, open } from "ffi-rs";

const library = "c-malloc";

let isOpen = false;

/** Blocks for some milliseconds. @returns false where the C library has no such function (musl). */
export function trimMemory(): boolean {
	try {
		if (!isOpen) open({ library, path: "libc.so.6" });
		isOpen = true;
		load({
			library,
			funcName: "malloc_trim",
			retType: DataType.I32,
			paramsType: [DataType.I32],
			paramsValue: [0],
		});
		return true;
	} catch {
		return false;
	}
}
