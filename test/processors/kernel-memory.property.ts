/** Our kernels by themselves, at sizes and with values drawn at random, under sanitizers: nothing is read or written beside a tensor. */
import { NotHere, type Property } from "../fuzz/property.js";
import { below } from "../fuzz/random.js";
import {
	buildKernelCheck,
	runKernelCheck,
	sanitizers,
} from "./kernel-check.js";

export async function kernelsStayInside(): Promise<Property<number>> {
	let program: string;
	try {
		program = await buildKernelCheck(sanitizers);
	} catch {
		throw new NotHere("gcc with its sanitizers");
	}
	return {
		name: "processors/kernel-memory",
		promise: "our kernels read and write nothing beside their tensors",
		draw: (random) => below(random, 2 ** 31),
		check(seed) {
			runKernelCheck(program, "random", "5", `${seed}`);
		},
	};
}
