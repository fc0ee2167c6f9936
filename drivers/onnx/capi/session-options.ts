/** The text that earshot_ort_open reads: what is said of the session, then the vendor's execution providers in the operator's order. */

export interface CustomOptions {
	readonly threads: number;
	/** Our kernels where the processor has them (kernels/kernels.h), or the library's alone. */
	readonly kernels: "own" | "library";
	/** `session.` entries, as the library that comes along is given them. */
	readonly entries: Readonly<Record<string, string>>;
	/** Each a name and `key=value` pairs, separated by spaces; the first is asked first, the CPU takes what is left. */
	readonly providers: readonly string[];
}

export function optionsText({
	threads,
	kernels,
	entries,
	providers,
}: CustomOptions): string {
	return [
		`threads ${threads}`,
		`kernels ${kernels}`,
		...Object.entries(entries).map(([key, value]) => `config ${key} ${value}`),
		...providers.flatMap(linesOf),
	].join("\n");
}

function linesOf(provider: string): string[] {
	const [name, ...pairs] = provider.trim().split(/\s+/);
	const options = pairs.map((pair) => {
		const at = pair.indexOf("=");
		return `option ${pair.slice(0, at)} ${pair.slice(at + 1)}`;
	});
	return [`provider ${name}`, ...options];
}
