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

/** EARSHOT_ORT_INTERFACE, EARSHOT_ORT_RANK_MAX, EARSHOT_ORT_END_WORDS, EARSHOT_ORT_REQUEST_WORDS. */
const interfaceVersion = 6;
export const rankMax = 8;
export const endWords = 7 + rankMax;
export const requestWords = 6;

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
	const output = invoke("kernels", DataType.String, [text(level)]);
	if (output === "") throw new Error(lastError());
	return output.trimEnd().split("\n").map(kernelOf);
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

/** Where an array lies in memory. */
export function addressOf(memory: ArrayBufferView): number {
	return Number(invoke("address", DataType.I64, [bytes(memory)]));
}

/** @param request see earshot_ort_run; the words of its outputs are written. @throws Error with the library's message */
export function runGraph(request: Float64Array): void {
	checked(invoke("run", DataType.I32, [bytes(request)]));
}

/** EARSHOT_ORT_ALL_SUMMED, EARSHOT_ORT_NONE_SUMMED. */
export const allSummed = -1;
export const noneSummed = -2;

/** @param into see earshot_ort_likeliest. @returns whether the scores are finite. @throws Error when the tensor has no such rows */
export function likeliestRows(
	runtime: Handle,
	tensor: Handle,
	[width, first, count, most, unsummed]: readonly [
		width: number,
		first: number,
		count: number,
		most: number,
		unsummed: number,
	],
	into: ArrayBufferView,
): boolean {
	const rows = [width, first, count, most, unsummed].map(long);
	const given = [handleOf(runtime), handleOf(tensor), ...rows, bytes(into)];
	const result = invoke("likeliest", DataType.I32, given);
	checked(result);
	return result === 0;
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

/** Values of the library that are held. */
export function liveValues(): number {
	return Number(invoke("live", DataType.I64, []));
}

export function closeGraph(session: Handle): void {
	checked(invoke("close", DataType.I32, [handleOf(session)]));
}

/** @param plan numbers, see earshot_ort_filterbank. @param into [frames, mels] @throws Error where the sizes don't fit or no kernel computes it */
export function computeFilterbank(
	level: KernelLevel,
	plan: Float64Array,
	samples: Float32Array,
	frames: number,
	into: Float32Array,
): void {
	ensureOpen();
	checked(
		invoke("filterbank", DataType.I32, [
			text(level),
			bytes(plan),
			long(plan.length),
			bytes(samples),
			long(samples.length),
			long(frames),
			bytes(into),
			long(into.length),
		]),
	);
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
