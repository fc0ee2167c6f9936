/** Which symbol of a CTC model is its blank; sherpa-onnx looks for the same names. */
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
