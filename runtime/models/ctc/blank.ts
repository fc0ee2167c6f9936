/** Which symbol of a CTC model is its blank; sherpa-onnx looks for the same names. */
import { ModelFault } from "../model-fault.js";
import type { SymbolTable } from "../writing/symbol-table.js";

const names = ["<blk>", "<eps>", "<blank>"] as const;

/** @returns undefined where there is none. */
export function blankOf(symbols: SymbolTable): number | undefined {
	for (const name of names) {
		const found = symbols.tokenOf(name);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** @throws ModelFault where there is none. */
export function expectBlank(symbols: SymbolTable): number {
	const blank = blankOf(symbols);
	if (blank === undefined)
		throw new ModelFault("tokens.txt has no <blk>, <eps> or <blank>");
	return blank;
}
