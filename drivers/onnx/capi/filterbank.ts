/** The filterbank of kernels/simd/filterbank.c behind its port. */
import {
	expectRoom,
	type Filterbank,
	type FilterbankPlan,
	type FilterbankPort,
	hopSamples,
} from "../../../runtime/features/filterbank-port.js";
import type { KernelLevel } from "../../../runtime/models/inference-port.js";
import { computeFilterbank, kernelsOf } from "./library.js";

export function nativeFilterbanks(level: KernelLevel): FilterbankPort {
	let there: boolean | undefined;
	return {
		open(plan) {
			there ??= hasFilterbank(level);
			return there ? new NativeFilterbank(level, plan) : undefined;
		},
	};
}

/** False also where the library can't be loaded: features need nothing of it. */
function hasFilterbank(level: KernelLevel): boolean {
	try {
		return kernelsOf(level).some(
			({ name, instructions }) =>
				name === "filterbank" && instructions !== undefined,
		);
	} catch {
		return false;
	}
}

class NativeFilterbank implements Filterbank {
	readonly #level: KernelLevel;
	readonly #plan: FilterbankPlan;
	readonly #numbers: Float64Array;

	constructor(level: KernelLevel, plan: FilterbankPlan) {
		this.#level = level;
		this.#plan = plan;
		this.#numbers = numbersOf(plan);
	}

	compute(samples: Float32Array, count: number, into: Float32Array): void {
		expectRoom(this.#plan, samples, count, into);
		if (count > 0)
			computeFilterbank(this.#level, this.#numbers, samples, count, into);
	}
}

/** As earshot_ort_filterbank takes them. */
function numbersOf(plan: FilterbankPlan): Float64Array {
	const { points, window, filters, noise } = plan;
	const { count, firstBin, offset, weights } = filters;
	const logFactor = plan.logarithm === "natural" ? 1 : Math.LOG10E;
	const turns = Array.from({ length: points }, (_, k) => {
		const angle = (2 * Math.PI * k) / points;
		return [Math.cos(angle), Math.sin(angle)];
	});
	return Float64Array.from([
		...[points, window.length, hopSamples, count, weights.length],
		...[plan.removeOffset ? 1 : 0, plan.preEmphasis, plan.energyMin, logFactor],
		...window,
		...turns.flat(),
		...noise,
		...firstBin,
		...offset,
		...weights,
	]);
}
