/** Lists of CPUs as the kernel and taskset(1) write them: "0-3,6". */

const cpusMax = 1024;

/** @returns in order, each once; undefined if it is no such list. */
export function parseCpus(list: string): number[] | undefined {
	const cpus = new Set<number>();
	for (const part of list.split(",")) {
		const [, first, last = first] =
			/^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? [];
		if (first === undefined || last === undefined) return undefined;
		if (Number(last) < Number(first) || Number(last) >= cpusMax)
			return undefined;
		for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.add(cpu);
	}
	return [...cpus].sort((a, b) => a - b);
}

/** @param cpus in order */
export function formatCpus(cpus: readonly number[]): string {
	const runs: number[][] = [];
	for (const cpu of cpus) {
		const run = runs.at(-1);
		if (run && run[run.length - 1] === cpu - 1) run.push(cpu);
		else runs.push([cpu]);
	}
	return runs
		.map((run) => (run.length > 1 ? `${run[0]}-${run.at(-1)}` : `${run[0]}`))
		.join(",");
}
