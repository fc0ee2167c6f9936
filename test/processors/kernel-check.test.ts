/** Every compiled kernel of this processor at sizes from 1 to 70, without ONNX Runtime, against plain C. */
import t from "tap";
import { hasCompiler } from "../fixtures/c-compiler.js";
import { buildKernelCheck, runKernelCheck } from "./kernel-check.js";

const skip = hasCompiler("gcc") ? false : "no gcc";

t.test("sizes from 1 to 70, NaN and infinity", { skip }, async (t) => {
	const program = await buildKernelCheck();
	const printed = runKernelCheck(program, "quick");
	t.match(printed, /^linear +\w+ +\d+ cases, at most [\d.e-]+ apart$/m);
	// fuzzing found a layer whose values all lie in the tail of GELU, where they were compared with nearly nothing
	runKernelCheck(program, "random", "5", "72916957");
});
