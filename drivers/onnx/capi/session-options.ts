/** The text that earshot_ort_open reads: options of the session, then the vendor's execution providers in the operator's order. */

import type {
	KernelLevel,
	RunMemory,
	SharedConstants,
} from "../../../runtime/models/inference-port.js";

export interface CustomOptions {
	readonly threads: number;
	/** Our kernels (kernels/kernels.h) up to this level; none: the library's operators only. */
	readonly kernels: KernelLevel;
	readonly memory?: RunMemory | undefined;
	readonly shared?: SharedConstants | undefined;
	/** `session.` configuration entries, the same as for the included library. */
	readonly entries: Readonly<Record<string, string>>;
	/** Each a name and `key=value` pairs, separated by spaces; the first has precedence, and the CPU runs what no provider supports. */
	readonly providers: readonly string[];
}

export function optionsText({
	threads,
	kernels,
	memory,
	shared,
	entries,
	providers,
}: CustomOptions): string {
	return [
		`threads ${threads}`,
		`kernels ${kernels}`,
		...(memory ? [`memory ${memory}`] : []),
		...Object.entries(entries).map(([key, value]) => `config ${key} ${value}`),
		...providers.flatMap(linesOf),
		...(shared ? constantLines(shared) : []),
	].join("\n");
}

/** Names and paths that would end their line are left to ONNX Runtime: it reads their values itself. */
function constantLines({ file, constants }: SharedConstants): string[] {
	if (file.includes("\n")) return [];
	return [
		`constants ${file}`,
		...constants
			.filter(({ name }) => /^\S+$/.test(name))
			.map(
				({ name, offset, type, dims }) =>
					`constant ${name} ${offset} ${type} ${dims.join(",")}`,
			),
	];
}

function linesOf(provider: string): string[] {
	const [name, ...pairs] = provider.trim().split(/\s+/);
	const options = pairs.map((pair) => {
		const at = pair.indexOf("=");
		return `option ${pair.slice(0, at)} ${pair.slice(at + 1)}`;
	});
	return [`provider ${name}`, ...options];
}
