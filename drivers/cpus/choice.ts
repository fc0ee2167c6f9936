/**
 * Which CPUs an engine runs on. Boards like the RK3588 (four Cortex-A76, four A55) have small CPUs beside fast ones: layers are divided between threads, and
 * those on fast CPUs then wait for those on small ones. The kernel says which CPUs are of one kind, and a short computation on each kind says how fast it is.
 */
import { allowedCpus, runOn } from "./affinity.js";
import { formatCpus, parseCpus } from "./cpu-list.js";
import { kindsOf } from "./kinds.js";
import { speedOf } from "./speed.js";

/** Kinds slower than this share of the fastest are left out. An A55 has a third of an A76, a small core of Intel's two thirds of a large one. */
const shareMin = 0.6;

export interface CpuKind {
	readonly cpus: readonly number[];
	/** In any unit. */
	readonly speed: number;
}

export interface CpuChoice {
	/** To run on, in order. */
	readonly cpus: readonly number[];
	/** Allowed as well, but not used. */
	readonly leftOut: readonly number[];
	/** Speed of the fastest kind that is left out, as a share of the fastest; undefined if the configuration names the CPUs. */
	readonly leftOutSpeed?: number;
}

/**
 * @param wanted engine.cores: auto, all, or a list
 * @throws Error, if the list has no CPU that may be used
 */
export function chooseCpus(wanted: string): CpuChoice {
	const allowed = allowedCpus();
	if (wanted === "all") return { cpus: allowed, leftOut: [] };
	if (wanted !== "auto") return listed(wanted, allowed);
	const kinds = kindsOf(allowed);
	if (kinds.length < 2) return { cpus: allowed, leftOut: [] };
	return fastOf(kinds.map((cpus) => ({ cpus, speed: speedOn(cpus, allowed) })));
}

/** Pure: the kinds of which one CPU is nearly as fast as one of the fastest. */
export function fastOf(kinds: readonly CpuKind[]): CpuChoice {
	const most = Math.max(...kinds.map(({ speed }) => speed));
	const isFast = ({ speed }: CpuKind) => speed >= shareMin * most;
	const left = kinds.filter((kind) => !isFast(kind));
	return {
		cpus: cpusOf(kinds.filter(isFast)),
		leftOut: cpusOf(left),
		...(left.length > 0 && {
			leftOutSpeed: Math.max(...left.map(({ speed }) => speed)) / most,
		}),
	};
}

function listed(list: string, allowed: readonly number[]): CpuChoice {
	const named = new Set(parseCpus(list));
	const cpus = allowed.filter((cpu) => named.has(cpu));
	if (cpus.length === 0)
		throw new Error(
			`engine.cores is ${list}, but this program may only run on ${formatCpus(allowed)}`,
		);
	return { cpus, leftOut: allowed.filter((cpu) => !named.has(cpu)) };
}

/** Two CPUs of the kind, as other work may keep one busy; the calling thread may run everywhere again afterwards. */
function speedOn(kind: readonly number[], allowed: readonly number[]): number {
	try {
		return Math.max(
			...kind.slice(0, 2).map((cpu) => {
				runOn([cpu]);
				return speedOf();
			}),
		);
	} finally {
		runOn(allowed);
	}
}

const cpusOf = (kinds: readonly CpuKind[]) =>
	kinds.flatMap(({ cpus }) => cpus).sort((a, b) => a - b);
