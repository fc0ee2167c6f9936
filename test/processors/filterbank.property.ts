/** The native filterbank beside its definition in JavaScript, for any plan; and plans that can't be. */
import assert from "node:assert/strict";
import { nativeFilterbanks } from "../../drivers/onnx/capi/filterbank.js";
import { computeFilterbank } from "../../drivers/onnx/capi/library.js";
import { ScriptFilterbank } from "../../runtime/features/filterbank.js";
import {
	type Filterbank,
	type FilterbankPlan,
	hopSamples,
} from "../../runtime/features/filterbank-port.js";
import { filtersOf } from "../../runtime/features/mel-filters.js";
import type { KernelLevel } from "../../runtime/models/inference-port.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random, randomOf } from "../fuzz/random.js";
import { levels } from "./ways.js";

/**
 * Of a value, which is a logarithm, or of 1 where that is more: both compute in 64 bits and store in 32, so they differ by one rounding (2^-24 to 2^-23). A pure
 * tone is apart: far from it there is only what rounding leaves of it, 1e-16 of the tone's samples, and where that is near the least energy it shows.
 */
export const differenceMax = 2 ** -22;
const toneDifferenceMax = 1e-6;

export interface FilterbankCase {
	readonly points: 400 | 512;
	readonly frameSamples: number;
	readonly mels: number;
	readonly removeOffset: boolean;
	readonly preEmphasis: number;
	readonly logarithm: FilterbankPlan["logarithm"];
	readonly frames: number;
	/** Samples behind the last frame. */
	readonly more: number;
	readonly sound: "noise" | "faint" | "sixteen-bit" | "silence" | "tone";
	/** Of samples, filters and window. */
	readonly seed: number;
}

export function planOf(one: FilterbankCase): FilterbankPlan {
	const { points, frameSamples, mels, seed } = one;
	const random = randomOf(seed);
	const bins = points / 2 + 1;
	const widths = Array.from({ length: mels }, () => below(random, 20));
	return {
		...one,
		window: Float64Array.from({ length: frameSamples }, random),
		// some have no weights, and some end with the spectrum
		filters: filtersOf(mels, bins, (mel, bin) => {
			const from = Math.floor((mel * bins) / mels);
			return bin - from < (widths[mel] as number) ? bin - from + 0.5 : 0;
		}),
		noise: Float64Array.from({ length: mels }, () => below(random, 2) * 1e-8),
		energyMin: 1e-10,
	};
}

export function soundOf(one: FilterbankCase): Float32Array {
	const random = randomOf(one.seed + 1);
	const { frames, frameSamples, more, sound } = one;
	const length = Math.max(0, (frames - 1) * hopSamples + frameSamples) + more;
	const scale = { "sixteen-bit": 32_768, faint: 1e-6, silence: 0 }[
		sound as string
	];
	const step = random() * 3;
	return Float32Array.from({ length }, (_, i) =>
		sound === "tone"
			? Math.sin(i * step) * 0.5
			: (random() * 2 - 1) * (scale ?? 1),
	);
}

function drawCase(random: Random): FilterbankCase {
	const points = pick(random, [512, 400] as const);
	return {
		points,
		frameSamples: pick(random, [400, 2 + 2 * below(random, points / 2)]),
		mels: pick(random, [80, 1 + below(random, 130)]),
		removeOffset: random() < 0.5,
		preEmphasis: pick(random, [0, 0.97]),
		logarithm: pick(random, ["natural", "decimal"] as const),
		frames: below(random, 40),
		more: below(random, 200),
		sound: pick(random, ["noise", "faint", "sixteen-bit", "silence", "tone"]),
		seed: below(random, 2 ** 31),
	};
}

/** [frames, mels] */
export function computed(
	filterbank: Filterbank,
	samples: Float32Array,
	{ frames, mels }: Pick<FilterbankCase, "frames" | "mels">,
): Float32Array {
	const into = new Float32Array(frames * mels);
	filterbank.compute(samples, frames, into);
	return into;
}

/** The levels at which it is native here, and what it is there. */
export function natives(plan: FilterbankPlan): [KernelLevel, Filterbank][] {
	return levels.flatMap((level): [KernelLevel, Filterbank][] => {
		const filterbank = nativeFilterbanks(level).open(plan);
		return filterbank ? [[level, filterbank]] : [];
	});
}

export const nativeIsAsDefined = (): Property<FilterbankCase> => ({
	name: "processors/filterbank",
	promise:
		"at every level the native filterbank computes what JavaScript does, to the last bit of 32",
	draw: drawCase,
	check(one) {
		const plan = planOf(one);
		const samples = soundOf(one);
		const expected = computed(new ScriptFilterbank(plan), samples, one);
		const most = one.sound === "tone" ? toneDifferenceMax : differenceMax;
		for (const [level, filterbank] of natives(plan)) {
			const given = computed(filterbank, samples, one);
			given.forEach((value, i) => {
				const wanted = expected[i] as number;
				const difference = Math.abs(value - wanted);
				assert.ok(
					difference <= most * Math.max(1, Math.abs(wanted)),
					`${level}: value ${i} is ${value}, not ${wanted}`,
				);
			});
		}
	},
});

interface AlteredPlan {
	readonly at: number;
	readonly value: number;
	readonly numbers: number;
	readonly samples: number;
	readonly frames: number;
	readonly values: number;
}

const guard = 12_345;
const usual = planOf({
	points: 512,
	frameSamples: 400,
	mels: 80,
	removeOffset: true,
	preEmphasis: 0.97,
	logarithm: "natural",
	frames: 0,
	more: 0,
	sound: "noise",
	seed: 1,
});

/** As drivers/onnx/capi/filterbank.ts writes it. */
function numbersOf({ points, window, filters, noise }: FilterbankPlan) {
	const head = [points, window.length, hopSamples, filters.count];
	return Float64Array.from([
		...[...head, filters.weights.length, 1, 0.97, 1e-10, 1, ...window],
		...Array.from({ length: 2 * points }, (_, i) => Math.sin(i)),
		...[...noise, ...filters.firstBin, ...filters.offset, ...filters.weights],
	]);
}

export const alteredPlansAreRefused = (): Property<AlteredPlan> => ({
	name: "processors/filterbank-plan",
	promise:
		"a plan of any numbers, and any lengths, are refused or computed within their room",
	draw(random) {
		const whole = numbersOf(usual);
		const filtersAt = 9 + 400 + 1024 + 80;
		return {
			at: pick(random, [
				below(random, 9),
				filtersAt + below(random, 161),
				below(random, whole.length),
			]),
			value: pick(random, [
				...[0, -1, 1, 0.5, 2, 4, 399, 401, 512, 513, 2 ** 20, 1e300],
				...[Number.NaN, Number.POSITIVE_INFINITY, below(random, 600)],
			]),
			numbers: pick(random, [
				whole.length,
				below(random, 12),
				below(random, whole.length),
			]),
			samples: pick(random, [2000, below(random, 2000)]),
			frames: pick(random, [3, 11, below(random, 14), -1, 2 ** 40]),
			values: pick(random, [800, below(random, 900)]),
		};
	},
	check({ at, value, numbers, samples, frames, values }) {
		const plan = numbersOf(usual);
		plan[at] = value;
		const room = new Float32Array(values + 600).fill(guard);
		try {
			computeFilterbank(
				levels.at(-1) ?? "auto",
				plan.slice(0, numbers),
				new Float32Array(samples),
				frames,
				room.subarray(0, values),
			);
		} catch {
			assert.ok(
				room.every((it) => it === guard),
				"refused, and something was written",
			);
		}
		assert.ok(
			room.subarray(values).every((it) => it === guard),
			"written behind the end",
		);
	},
});
