/**
 * How a benchmark reports its results: rows of the one table in docs/benchmarks/log.md, each with date, commit and machine. Always printed; appended
 * to the file with --record, and only then, since a time from a busy machine means nothing.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";

export interface Measurement {
	readonly what: string;
	readonly earshot: string;
	readonly fasterWhisper?: string;
	readonly sherpa?: string;
	/** The peer of live streaming: in the column of the peer that it is built on. */
	readonly whisperLiveKit?: string;
	/** What was aimed at, and whether it was met. */
	readonly goal: string;
}

const log = "docs/benchmarks/log.md";

export function report(
	measurements: readonly Measurement[],
	record: boolean,
): void {
	const rows = measurements.map(tableRow);
	console.log(`\n${rows.join("\n")}`);
	if (!record) return;
	writeFileSync(log, withRows(readFileSync(log, "utf8"), rows));
	console.log(`recorded in ${log}`);
}

/** The log with these rows at the end of its table. */
export function withRows(text: string, rows: readonly string[]): string {
	const lines = text.split("\n");
	const last = lines.findLastIndex((line) =>
		/^\| (\d{4}-|date|---)/.test(line),
	);
	if (last < 0) throw new Error(`${log} has no table`);
	lines.splice(last + 1, 0, ...rows);
	return lines.join("\n");
}

function tableRow(measurement: Measurement): string {
	const cells = [
		new Date().toISOString().slice(0, 10),
		commit(),
		machine(),
		measurement.what,
		measurement.earshot,
		measurement.fasterWhisper ?? measurement.whisperLiveKit ?? "-",
		measurement.sherpa ?? "-",
		measurement.goal,
	];
	return `| ${cells.join(" | ")} |`;
}

function commit(): string {
	const git = (...args: string[]) =>
		execFileSync("git", args, { encoding: "utf8" }).trim();
	const changed = git(
		"status",
		"--porcelain",
		"-uno",
		"--",
		"runtime",
		"drivers",
	);
	return git("rev-parse", "--short", "HEAD") + (changed === "" ? "" : "+");
}

/** Instructions that decide how fast int8 products are. */
function machine(): string {
	const flags = /^flags\s*:(.*)$/m.exec(readCpuInfo())?.[1]?.split(" ") ?? [];
	const known = ["amx_int8", "avx512_vnni", "avx_vnni", "avx2", "asimddp"];
	const best = known.find((flag) => flags.includes(flag));
	const model = cpus()[0]?.model ?? process.arch;
	return `${availableParallelism()} x ${model}${best === undefined ? "" : `, ${best}`}`;
}

function readCpuInfo(): string {
	try {
		return readFileSync("/proc/cpuinfo", "utf8").replace(
			/^Features/gm,
			"flags",
		);
	} catch {
		return "";
	}
}

/** "0.49 (met)" */
export function judged(text: string, met: boolean): string {
	return `${text}: ${met ? "met" : "missed"}`;
}
