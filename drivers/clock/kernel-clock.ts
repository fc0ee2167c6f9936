/**
 * adjtimex(2): whether the kernel considers its clock synchronised, by any service (timesyncd, chrony, ntpd, a hypervisor's guest). Called through ffi-rs,
 * because Node has no such call; it changes nothing (`modes` is 0). A sandbox may forbid it: earshot.service does, by `ProtectClock=`.
 */
import { DataType, load, open } from "ffi-rs";

const library = "c";
/** <sys/timex.h>, on 64-bit machines: 208 bytes, `status` after five words. */
const timexBytes = 256;
const statusAt = 40;
const unsynchronised = 0x40; // STA_UNSYNC
const timeError = 5; // TIME_ERROR

let opened = false;

/** @returns undefined where the kernel's state is not available. */
export function kernelSynchronised(): boolean | undefined {
	const timex = Buffer.alloc(timexBytes);
	try {
		if (!opened) open({ library, path: "libc.so.6" });
		opened = true;
		const state = load({
			library,
			funcName: "adjtimex",
			retType: DataType.I32,
			paramsType: [DataType.U8Array],
			paramsValue: [timex],
		});
		if (state < 0) return undefined;
		const isUnsynchronised = timex.readInt32LE(statusAt) & unsynchronised;
		return state !== timeError && isUnsynchronised === 0;
	} catch {
		return undefined;
	}
}
