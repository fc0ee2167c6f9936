/** The choices of `--quantize` and `--precision`, and what each means. */
import { BlockNumerics } from "./block-numerics.js";
import { FloatNumerics } from "./float-numerics.js";
import type { Numerics } from "./numerics.js";
import { RowNumerics } from "./row-numerics.js";

export const quantizations = ["int8", "int4", "fp16", "fp32"] as const;
/** `half`: 16 bits are what is computed in, too (half-precision.ts). */
export type Quantization = (typeof quantizations)[number] | "half";

/** What a GPU computes in. */
export const precisions = ["fp16", "fp32"] as const;
export type Precision = (typeof precisions)[number];

export function quantizationOf(precision: Precision): Quantization {
	return precision === "fp16" ? "half" : precision;
}

export function numericsOf(quantization: Quantization): Numerics {
	switch (quantization) {
		case "half":
			return new FloatNumerics("fp32"); // narrowed afterwards, with all else
		case "fp32":
		case "fp16":
			return new FloatNumerics(quantization);
		case "int8":
			return new RowNumerics();
		case "int4":
			return new BlockNumerics();
	}
}
