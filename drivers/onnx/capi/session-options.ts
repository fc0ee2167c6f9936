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
	/** Where outputs stay until they are read, a name of ONNX Runtime's and a number. Default: the memory of NVIDIA's providers, else the CPU's. */
	readonly device?: string | undefined;
}

interface Provider {
	readonly name: string;
	readonly options: ReadonlyMap<string, string>;
}

/** NVIDIA's: their options' names are ONNX Runtime's. */
const cudaProviders = ["CUDA", "TensorRT"];
/** Of an operator's provider, where nothing else is said. Trying all ways to compute a convolution took 20 ms more for each new length of sound (H100). */
const providerDefaults: Readonly<Record<string, readonly string[]>> = {
	CUDA: ["cudnn_conv_algo_search=HEURISTIC"],
};

export function optionsText({
	threads,
	kernels,
	memory,
	shared,
	entries,
	providers,
	device,
}: CustomOptions): string {
	const requested = providers.map(read);
	const stays = device ?? deviceOf(requested);
	return [
		`threads ${threads}`,
		`kernels ${kernels}`,
		...(memory ? [`memory ${memory}`] : []),
		...Object.entries(entries).map(([key, value]) => `config ${key} ${value}`),
		...requested.flatMap(linesOf),
		...(stays ? [`device ${stays}`] : []),
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

function linesOf({ name, options }: Provider): string[] {
	return [
		`provider ${name}`,
		...[...options].map(([key, value]) => `option ${key} ${value}`),
	];
}

/** The memory of the first provider that has its own, and that we can read. */
function deviceOf(requested: readonly Provider[]): string | undefined {
	const found = requested.find(({ name }) => cudaProviders.includes(name));
	return found && `Cuda ${found.options.get("device_id") ?? 0}`;
}

function read(provider: string): Provider {
	const [name = "", ...pairs] = provider.trim().split(/\s+/);
	const all = [...(providerDefaults[name] ?? []), ...pairs];
	const options = new Map(
		all.map((pair) => {
			const at = pair.indexOf("=");
			return [pair.slice(0, at), pair.slice(at + 1)];
		}),
	);
	return { name, options };
}
