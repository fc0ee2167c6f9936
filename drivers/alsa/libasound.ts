/**
 * libasound, function by function, through ffi-rs: the only file that calls it. Arguments are scalars and our own buffers, results are numbers; no structs,
 * no callbacks. A pointer is a bigint. Only a process that may crash calls it: a wrong pointer is a segmentation fault.
 *
 * INVARIANT: a buffer that a call in another thread writes to is held by its caller until the promise settles.
 */
import { DataType, type FieldType, load, open } from "ffi-rs";
import { CaptureError } from "../../runtime/microphones/capture-port.js";
import { errnoName } from "./errno.js";

const library = "asound";

/** pcm_type, access and so on are enums of <alsa/pcm.h>. */
export const streamCapture = 1;
export const modeNonBlock = 1;
export const accessInterleaved = 3;

let opened = false;

/** @throws CaptureError ENOENT where the library is not installed. */
function ensureOpen(): void {
	if (opened) return;
	try {
		open({ library, path: "libasound.so.2" });
	} catch (cause) {
		throw new CaptureError(
			"ENOENT",
			"dlopen",
			`libasound.so.2 can't be loaded (${(cause as Error).message}): apt-get install libasound2`,
		);
	}
	opened = true;
}

type Argument = readonly [type: FieldType, value: unknown];

export const pointer = (value: bigint): Argument => [DataType.BigInt, value];
export const buffer = (value: Uint8Array): Argument => [
	DataType.U8Array,
	value,
];
export const text = (value: string): Argument => [DataType.String, value];
export const int = (value: number): Argument => [DataType.I32, value];
export const unsigned = (value: number): Argument => [DataType.U32, value];
export const frames = (value: number): Argument => [DataType.U64, value];

/** Calls a function that returns an int: negative is an error. @throws CaptureError */
export function call(name: string, ...given: Argument[]): number {
	return checked(name, invoke(name, DataType.I32, given));
}

/** As `call`, in another thread. @throws CaptureError */
export async function callInThread(
	name: string,
	...given: Argument[]
): Promise<number> {
	return checked(name, await invokeInThread(name, DataType.I32, given));
}

/** As `callInThread`, for a function that returns a number of frames. @throws CaptureError */
export async function transferInThread(
	name: string,
	...given: Argument[]
): Promise<number> {
	return checked(name, await invokeInThread(name, DataType.I64, given));
}

/** Result of a function that returns the size of a struct. */
export function sizeOf(name: string): number {
	return Number(invoke(name, DataType.U64, []));
}

/** As `call`, but returns errors as negative numbers. */
export function callUnchecked(name: string, ...given: Argument[]): number {
	return invoke(name, DataType.I32, given);
}

export function version(): string {
	return invoke("snd_asoundlib_version", DataType.String, []);
}

export function describe(result: number): string {
	return invoke("snd_strerror", DataType.String, [int(result)]);
}

function checked(name: string, result: number): number {
	if (result >= 0) return result;
	const code = errnoName(result);
	throw new CaptureError(code, name, `${describe(result)} (${code}, ${name})`);
}

function invoke<R extends DataType>(
	funcName: string,
	retType: R,
	given: readonly Argument[],
) {
	ensureOpen();
	return load({ ...signature(funcName, given), retType });
}

function invokeInThread<R extends DataType>(
	funcName: string,
	retType: R,
	given: readonly Argument[],
) {
	ensureOpen();
	return load({
		...signature(funcName, given),
		retType,
		runInNewThread: true,
	});
}

function signature(funcName: string, given: readonly Argument[]) {
	return {
		library,
		funcName,
		paramsType: given.map(([type]) => type),
		paramsValue: given.map(([, value]) => value),
	};
}
