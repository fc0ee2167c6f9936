/** Limits what ONNX Runtime finds on this processor, for a comparison with the same instructions on both sides: limited-cpuid.c, compiled here. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { arch, tmpdir } from "node:os";
import { join } from "node:path";
import { DataType, load, open } from "ffi-rs";
import type { KernelLevel } from "../../../runtime/models/inference-port.js";

const library = "limited_cpuid";
const source = "scripts/benchmarks/processors/limited-cpuid.c";

/** Before the first library that asks the processor is loaded. @returns whether ONNX Runtime will be limited as well as our kernels. */
export function limitProcessor(level: KernelLevel): boolean {
	if (arch() !== "x64" || level === "auto" || level === "none") return false;
	const folder = mkdtempSync(join(tmpdir(), "earshot-"));
	try {
		const path = join(folder, "limited.so");
		execFileSync("cc", ["-O2", "-shared", "-fPIC", "-o", path, source]);
		open({ library, path });
	} finally {
		rmSync(folder, { recursive: true }); // what is open stays
	}
	const refused = load({
		library,
		funcName: "limit_cpuid",
		retType: DataType.I32,
		paramsType: [DataType.String],
		paramsValue: [level],
	});
	return refused === 0;
}
