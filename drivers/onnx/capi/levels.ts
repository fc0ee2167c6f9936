/** The levels of kernels/levels.c that make a difference on this CPU. */
import { arch } from "node:os";
import type { KernelLevel } from "../../../runtime/models/inference-port.js";
import { kernelsOf } from "./library.js";

/** Of each kind of processor, the best last. */
const known: Readonly<Record<string, readonly KernelLevel[]>> = {
	x64: ["avx2", "avx-vnni", "avx512", "avx512-bf16"],
	arm64: ["neon", "dotprod", "i8mm"],
};

/** One for each set of kernels that works here, the best last; empty where there are none. */
export function levelsHere(): readonly KernelLevel[] {
	const names = known[arch()] ?? [];
	return names.filter(
		(level, i) => chosenAt(level) !== chosenAt(names[i - 1] ?? "none"),
	);
}

function chosenAt(level: KernelLevel): string {
	return kernelsOf(level)
		.map(({ instructions }) => instructions)
		.join();
}
