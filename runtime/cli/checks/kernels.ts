/** Which kernels compute the model's layers and attention on this CPU, and why not better ones. */
import type { KernelChoice } from "../../models/inference-port.js";
import { type Finding, ok, warning } from "./finding.js";

/** @param choices of the configured level. */
export function checkKernels(choices: readonly KernelChoice[]): Finding {
	const about = "kernels";
	const used = choices.map(
		({ name, instructions }) => `${name} ${instructions ?? "by ONNX Runtime"}`,
	);
	const whyNot = new Map<string, string>();
	for (const { refused } of choices)
		for (const { instructions, why } of refused) whyNot.set(instructions, why);
	const says = [
		used.join(", "),
		...[...whyNot].map(([instructions, why]) => `no ${instructions}: ${why}`),
	].join("; ");
	if (choices.some(({ refused }) => refused.some((it) => it.isFault)))
		return warning(
			about,
			says,
			"recognition works with the others, more slowly; a virtual machine that reports too much is set up by its host, anything else is worth a report",
		);
	return ok(about, says);
}
