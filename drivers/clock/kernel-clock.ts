/**
 * adjtimex(2): whether the kernel holds its clock for synchronised, whoever does that (timesyncd, chrony, ntpd, a hypervisor's guest). Asked through ffi-rs, for
 * Node has no such call; it changes nothing (`modes` is 0). A sandbox may forbid it: earshot.service does, by `ProtectClock=`.
 */
import { DataType, load, open } from "ffi-rs";

const library = "c";
/** <sys/timex.h>, on machines of 64 bits: 208 bytes, `status` behind five words. */
const timexBytes = 256;
const statusAt = 40;
const unsynchronised = 0x40; // STA_UNSYNC
const timeError = 5; // TIME_ERROR

let opened = false;

/** @returns undefined where the kernel does not say. */
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
