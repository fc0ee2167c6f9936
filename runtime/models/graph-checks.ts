/** Checks on the graphs of models. Published ones are used by the order of their inputs and outputs, as sherpa-onnx does. */
import type { InferenceSession } from "./inference-port.js";
import { ModelFault } from "./model-fault.js";
import type { SymbolTable } from "./writing/symbol-table.js";

/** @throws ModelFault when a graph has fewer inputs or outputs: files were swapped, or it is another model */
export function expectGraph(
	part: string,
	{ inputNames, outputNames }: InferenceSession,
	inputs: number,
	outputs: number,
): void {
	if (inputNames.length === inputs && outputNames.length >= outputs) return;
	throw new ModelFault(
		`${part} is another graph than expected: it has the inputs ${inputNames.join(", ")} and the outputs ${outputNames.join(", ")}, not ${inputs} and ${outputs}`,
	);
}

/** @param model that it should be. @throws ModelFault when the graph lacks one of these: it is of another model */
export function expectNames(
	path: string,
	model: string,
	{ inputNames, outputNames }: InferenceSession,
	{ inputs = [], outputs = [] }: ExpectedNames,
): void {
	const input = inputs.find((it) => !inputNames.includes(it));
	const output = outputs.find((it) => !outputNames.includes(it));
	if (input === undefined && output === undefined) return;
	const missing = input === undefined ? `output ${output}` : `input ${input}`;
	throw new ModelFault(`${path} is not ${model}: it has no ${missing}`);
}

interface ExpectedNames {
	readonly inputs?: readonly string[];
	readonly outputs?: readonly string[];
}

/** @throws ModelFault when there are fewer symbols than scores */
export function expectSymbols(
	symbols: SymbolTable,
	vocabulary: number,
	exactly = false,
): void {
	const { size } = symbols;
	if (exactly ? symbols.areOf(vocabulary) : size >= vocabulary) return;
	throw new ModelFault(
		`tokens.txt has ${size} symbols, the model scores ${vocabulary}`,
	);
}

/** @throws ModelFault when a manifest's means or deviations are not one for each feature */
export function expectNormalization(
	means: readonly number[],
	inverseDeviations: readonly number[],
	features: number,
): void {
	if (means.length === features && inverseDeviations.length === features)
		return;
	throw new ModelFault(
		`the manifest must have means and deviations of ${features} features, but has ${means.length} and ${inverseDeviations.length}`,
	);
}
