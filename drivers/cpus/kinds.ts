/**
 * Kinds of CPU, from what the kernel says in /sys/devices/system/cpu (Documentation/ABI/testing/sysfs-devices-system-cpu): on arm64 the capacity of each and its
 * model, on Intel's processors with two kinds of cores the highest frequency.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const marks = [
	"cpu_capacity",
	"regs/identification/midr_el1",
	"cpufreq/cpuinfo_max_freq",
];

/** @returns the CPUs of each kind, in order of their first. One kind where the kernel says nothing. */
export function kindsOf(
	cpus: readonly number[],
	folder = "/sys/devices/system/cpu",
): number[][] {
	const kinds = new Map<string, number[]>();
	for (const cpu of cpus) {
		const kind = marks
			.map((mark) => readMark(join(folder, `cpu${cpu}`, mark)))
			.join(" ");
		kinds.set(kind, [...(kinds.get(kind) ?? []), cpu]);
	}
	return [...kinds.values()];
}

function readMark(path: string): string {
	try {
		return readFileSync(path, "utf8").trim();
	} catch {
		return "";
	}
}
