/** Which operators a graph may use. */
import { PackageError } from "./model-package.js";
import { shown } from "./weights-error.js";

/** Operator sets in every build of ONNX Runtime; the first is the standard ONNX set. */
const domains: ReadonlySet<string> = new Set([
	"",
	"ai.onnx",
	"ai.onnx.ml",
	"com.microsoft",
	"com.microsoft.nchwc",
	"com.ms.internal.nhwc",
]);
/** This operator names another file, or contains data for one accelerator only. */
const compiled = "EPContext";

/** @param file for the message. @throws PackageError */
export function refuseOperator(
	file: string,
	operator: string,
	domain: string,
): void {
	if (!domains.has(domain))
		throw new PackageError(
			`${file} needs the operator ${shown(operator)} of ${shown(domain)}, which ONNX Runtime does not have: the graph was made for another program, or needs a custom operator library`,
		);
	if (operator === compiled)
		throw new PackageError(
			`${file} was compiled for one accelerator (${compiled}): only graphs that can be inspected are accepted`,
		);
}
