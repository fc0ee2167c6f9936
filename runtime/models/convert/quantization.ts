/** The choices of `--quantize`, and what each means. */
import { BlockNumerics } from "./block-numerics.js";
import { FloatNumerics } from "./float-numerics.js";
import type { Numerics } from "./numerics.js";
import { RowNumerics } from "./row-numerics.js";

export const quantizations = ["int8", "int4", "fp16", "fp32"] as const;
export type Quantization = (typeof quantizations)[number];

export function numericsOf(quantization: Quantization): Numerics {
	switch (quantization) {
		case "fp32":
		case "fp16":
			return new FloatNumerics(quantization);
		case "int8":
			return new RowNumerics();
		case "int4":
			return new BlockNumerics();
	}
}
