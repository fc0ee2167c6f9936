/**
 * Chooses settings from the measurements, with a reason for each. Pure.
 *
 * - Threads: the fewest that are nearly as fast as the best; the rest is left to other programs.
 * - Beam: the widest up to the default, as long as recognition is still much faster than real time: a wider beam is more accurate.
 * - Partials: at an interval at which those of one speaker leave half of the recognizer's time to finals.
 * - Sessions: the seconds of speech recognized in a second, less a reserve (runtime/engine/capacity.ts counts the same way at run time).
 */
import type { Settings } from "../drop-in.js";
import type { TuningResults, TuningRow } from "./tuning-results.js";

export interface Chosen {
	readonly key: string;
	readonly value: number | string;
	readonly why: string;
}

/** Fraction of the best speed that counts as equally fast. */
const nearlyShare = 0.9;
/** Of the speed with the best instructions: less may be chance. */
const lowerShare = 1.05;
/** A wider beam gains little. */
export const beamWanted = 5;
/** Times real time, so that the final of a sentence comes soon after its end. */
const speedWanted = 3;
const reserve = 0.1;
const partialMsMin = 240;
const partialMsMax = 5000;
const slotsMax = 1000;

export function choose(results: TuningResults): Chosen[] {
	const row = rowChosen(results.rows);
	const { speed } = row;
	const slots = Math.min(
		slotsMax,
		Math.max(1, Math.floor(speed * (1 - reserve))),
	);
	const partialMs = Math.min(
		partialMsMax,
		Math.max(partialMsMin, Math.ceil((2 * results.partialMs) / 10) * 10),
	);
	return [
		...processorChosen(results.rows, row),
		...levelChosen(results, row),
		{
			key: "engine.threads",
			value: row.threads,
			why: whyThreads(results.rows, row),
		},
		{ key: "recognition.beam", value: row.beam, why: whyBeam(row) },
		{
			key: "recognition.partial_milliseconds",
			value: partialMs,
			why: `a partial takes ${Math.round(results.partialMs)} ms${partialMs > partialMsMin ? ": half of the time is left for finals" : "; words do not arrive faster"}`,
		},
		{
			key: "engine.live_slots",
			value: slots,
			why: `${fixed(speed)} s of speech are recognized in a second, a tenth is reserved`,
		},
	];
}

export function settingsOf(chosen: readonly Chosen[]): Settings {
	return Object.fromEntries(chosen.map(({ key, value }) => [key, value]));
}

/** The row with the fewest suitable threads, then the widest suitable beam. */
export function rowChosen(rows: readonly TuningRow[]): TuningRow {
	const { threads, processor } = threadsChosen(rows);
	const same = rows.filter(
		(it) => it.threads === threads && it.processor === processor,
	);
	const wide = same
		.filter((it) => it.beam <= beamWanted)
		.sort((a, b) => b.beam - a.beam);
	const quick = Math.max(...same.map((it) => it.speed));
	return (wide.find((it) => it.speed >= speedWanted) ??
		wide.find((it) => it.speed >= nearlyShare * quick) ??
		wide[0]) as TuningRow;
}

/** Compares the rows with the beam that was measured for every number of threads. */
export function threadsChosen(rows: readonly TuningRow[]): TuningRow {
	const beam = rows[0]?.beam;
	const same = rows.filter((it) => it.beam === beam);
	const quick = Math.max(...same.map((it) => it.speed));
	return same
		.filter((it) => it.speed >= nearlyShare * quick)
		.reduce((fewest, it) => (it.threads < fewest.threads ? it : fewest));
}

function processorChosen(rows: readonly TuningRow[], row: TuningRow): Chosen[] {
	const others = rows.filter((it) => it.processor !== row.processor);
	if (others.length === 0) return [];
	const best = Math.max(...others.map((it) => it.speed));
	return [
		{
			key: "engine.processor",
			value: row.processor,
			why: `${fixed(row.speed)} times real time, against ${fixed(best)}`,
		},
	];
}

/** Only where older instructions are clearly faster. */
function levelChosen({ lower }: TuningResults, { speed }: TuningRow): Chosen[] {
	if (!lower || lower.speed < speed * lowerShare) return [];
	return [
		{
			key: "engine.kernels",
			value: lower.level,
			why: `${fixed(lower.speed)} times real time, against ${fixed(speed)} with better instructions`,
		},
	];
}

function whyThreads(rows: readonly TuningRow[], row: TuningRow): string {
	const others = rows.filter(
		(it) =>
			it.beam === rows[0]?.beam &&
			it.processor === row.processor &&
			it.threads !== row.threads,
	);
	if (others.length === 0) return "the only number measured";
	const best = others.reduce((a, b) => (b.speed > a.speed ? b : a));
	const own = rows.find(
		(it) =>
			it.beam === best.beam &&
			it.threads === row.threads &&
			it.processor === row.processor,
	) as TuningRow;
	return own.speed >= best.speed
		? `${fixed(own.speed / best.speed)} times as fast as ${best.threads}`
		: `nearly as fast as ${best.threads} (${Math.round((100 * own.speed) / best.speed)} %)`;
}

function whyBeam({ beam, speed }: TuningRow): string {
	if (speed < 1)
		return `slower than real time (${fixed(speed)} times): use a smaller model`;
	return beam < beamWanted
		? "wider beams are too slow on this device"
		: `${fixed(speed)} times real time with it; wider beams gain little`;
}

function fixed(value: number): string {
	return value.toFixed(value < 10 ? 1 : 0);
}
