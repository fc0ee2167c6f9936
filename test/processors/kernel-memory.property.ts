/** Our kernels by themselves, at sizes and with values drawn at random, under sanitizers: nothing is read or written beside a tensor. */
import type { Property } from "../fuzz/property.js";
import { below } from "../fuzz/random.js";
import {
	buildKernelCheck,
	runKernelCheck,
	sanitized,
	sanitizers,
} from "./kernel-check.js";

export async function kernelsStayInside(): Promise<Property<number>> {
	const program = await sanitized(() => buildKernelCheck(sanitizers));
	return {
		name: "processors/kernel-memory",
		promise: "our kernels read and write nothing beside their tensors",
		draw: (random) => below(random, 2 ** 31),
		check(seed) {
			runKernelCheck(program, "random", "5", `${seed}`);
		},
	};
}
