/**
 * native/earshot_ort.h, function by function, through ffi-rs: the only file that calls it. A handle is a bigint; words are BigInt64Arrays.
 *
 * INVARIANT: the caller keeps the memory of a tensor's data alive until the tensor is released.
 */
import { DataType, type FieldType, load, open } from "ffi-rs";
import type {
	KernelChoice,
	KernelLevel,
} from "../../../runtime/models/inference-port.js";
import { nativeLibraryPath } from "./native-library.js";

/** EARSHOT_ORT_INTERFACE, EARSHOT_ORT_RANK_MAX, EARSHOT_ORT_OUTPUT_WORDS. */
const interfaceVersion = 2;
export const rankMax = 8;
export const outputWords = 4 + rankMax;

export type Handle = bigint;

type Argument = readonly [type: FieldType, value: unknown];

const library = "earshot_ort";
let opened = false;

const handleOf = (value: Handle): Argument => [DataType.BigInt, value];
const text = (value: string): Argument => [DataType.String, value];
const int = (value: number): Argument => [DataType.I32, value];
const long = (value: number): Argument => [DataType.I64, value];
const bytes = (value: ArrayBufferView): Argument => [
	DataType.U8Array,
	new Uint8Array(value.buffer, value.byteOffset, value.byteLength),
];

/** Loads an ONNX Runtime library. It stays in the process. @throws Error with the loader's or the library's message */
export function loadRuntime(path: string): Handle {
	ensureOpen();
	return checkedHandle(invoke("load", DataType.BigInt, [text(path)]));
}

export function versionOf(runtime: Handle): string {
	return invoke("version", DataType.String, [handleOf(runtime)]);
}

/** Our kernels (kernels/kernels.h) on this CPU. The first call of a level runs each once. @throws Error: no such level on this kind of processor */
export function kernelsOf(level: KernelLevel): readonly KernelChoice[] {
	ensureOpen();
	const said = invoke("kernels", DataType.String, [text(level)]);
	if (said === "") throw new Error(lastError());
	return said.trimEnd().split("\n").map(kernelOf);
}

function kernelOf(line: string): KernelChoice {
	const [name = "", instructions, ...refused] = line.split("\t");
	return {
		name,
		instructions: instructions || undefined,
		refused: refused.map((it) => {
			const isFault = it.startsWith("!");
			const at = it.indexOf(": ");
			return {
				instructions: it.slice(isFault ? 1 : 0, at),
				why: it.slice(at + 2),
				isFault,
			};
		}),
	};
}

/** @param options see earshot_ort_open. @throws Error with the library's message */
export function openGraph(
	runtime: Handle,
	path: string,
	options: string,
): Handle {
	return checkedHandle(
		invoke("open", DataType.BigInt, [
			handleOf(runtime),
			text(path),
			text(options),
		]),
	);
}

export function describeGraph(session: Handle): string {
	return invoke("describe", DataType.String, [handleOf(session)]);
}

/** @throws Error with the library's message */
export function makeTensor(
	runtime: Handle,
	type: number,
	data: ArrayBufferView,
	dims: BigInt64Array,
): Handle {
	return checkedHandle(
		invoke("tensor", DataType.BigInt, [
			handleOf(runtime),
			int(type),
			bytes(data),
			long(data.byteLength),
			bytes(dims),
			int(dims.length),
		]),
	);
}

/** @param request see earshot_ort_run; the words of its outputs are written. @throws Error with the library's message */
export function runGraph(session: Handle, request: BigInt64Array): void {
	checked(invoke("run", DataType.I32, [handleOf(session), bytes(request)]));
}

/** @throws Error if the sizes differ */
export function readTensor(
	runtime: Handle,
	tensor: Handle,
	into: ArrayBufferView,
): void {
	const given = [handleOf(runtime), handleOf(tensor)];
	checked(
		invoke("read", DataType.I32, [
			...given,
			bytes(into),
			long(into.byteLength),
		]),
	);
}

export function releaseTensors(runtime: Handle, tensors: BigInt64Array): void {
	const given = [handleOf(runtime), bytes(tensors), int(tensors.length)];
	checked(invoke("release", DataType.I32, given));
}

export function closeGraph(session: Handle): void {
	checked(invoke("close", DataType.I32, [handleOf(session)]));
}

function ensureOpen(): void {
	if (opened) return;
	open({ library, path: nativeLibraryPath() });
	const found = invoke("interface", DataType.I32, []);
	if (found !== interfaceVersion)
		throw new Error(
			`the interface version of earshot_ort.h is ${found}, not ${interfaceVersion}`,
		);
	opened = true;
}

function checkedHandle(handle: unknown): Handle {
	const found = BigInt(handle as bigint);
	if (found === 0n) throw new Error(lastError());
	return found;
}

function checked(result: number): void {
	if (result < 0) throw new Error(lastError());
}

function lastError(): string {
	return invoke("error", DataType.String, []);
}

function invoke<R extends DataType>(
	name: string,
	retType: R,
	given: readonly Argument[],
) {
	return load({
		library,
		funcName: `earshot_ort_${name}`,
		retType,
		paramsType: given.map(([type]) => type),
		paramsValue: given.map(([, value]) => value),
	});
}
