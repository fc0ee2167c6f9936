/** The choices of `models convert --storage` and `--compute`, and what each means. */
import { BlockNumerics } from "./block-numerics.js";
import { FloatNumerics } from "./float-numerics.js";
import type { Numerics } from "./numerics.js";
import { RowNumerics } from "./row-numerics.js";

/** How weights are stored; the CPU computes in its own formats. */
export const storageFormats = ["int8", "int4", "fp16", "fp32"] as const;
export type StorageFormat = (typeof storageFormats)[number];
/** `half`: computation is in 16 bits too (half-precision.ts). */
export type Quantization = StorageFormat | "half";

/** What a GPU stores and computes in. */
export const computeFormats = ["fp16", "fp32"] as const;
export type ComputeFormat = (typeof computeFormats)[number];

export function quantizationOf(compute: ComputeFormat): Quantization {
	return compute === "fp16" ? "half" : compute;
}

export function numericsOf(quantization: Quantization): Numerics {
	switch (quantization) {
		case "half":
			return new FloatNumerics("fp32"); // the whole graph is narrowed afterwards
		case "fp32":
		case "fp16":
			return new FloatNumerics(quantization);
		case "int8":
			return new RowNumerics();
		case "int4":
			return new BlockNumerics();
	}
}
