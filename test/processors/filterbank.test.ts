/** The native filterbank (drivers/onnx/capi/kernels/simd/filterbank.c) beside JavaScript's, and through the classes of runtime/features. */
import t from "tap";
import { nativeFilterbanks } from "../../drivers/onnx/capi/filterbank.js";
import { ScriptFilterbank } from "../../runtime/features/filterbank.js";
import type { FilterbankPort } from "../../runtime/features/filterbank-port.js";
import { FrontEnd, toolkits } from "../../runtime/features/front-end.js";
import { LogMel } from "../../runtime/features/log-mel.js";
import { holds } from "../fuzz/holds.js";
import { randomOf } from "../fuzz/random.js";
import {
	alteredPlansAreRefused,
	computed,
	differenceMax,
	type FilterbankCase,
	nativeIsAsDefined,
	natives,
	planOf,
	soundOf,
} from "./filterbank.property.js";
import { levels } from "./ways.js";

const skip = levels.length > 0 ? false : "this processor has no kernels";
const native = nativeFilterbanks("auto");

const usual: FilterbankCase = {
	points: 512,
	frameSamples: 400,
	mels: 80,
	removeOffset: true,
	preEmphasis: 0.97,
	logarithm: "natural",
	frames: 21,
	more: 0,
	sound: "noise",
	seed: 1,
};

if (!skip) {
	await holds(t, nativeIsAsDefined(), 60);
	await holds(t, alteredPlansAreRefused(), 300);
}

t.test("it is native at every level of this processor", { skip }, (t) => {
	t.equal(natives(planOf(usual)).length, levels.length);
	t.end();
});

t.test("without kernels features are computed in JavaScript", (t) => {
	t.equal(nativeFilterbanks("none").open(planOf(usual)), undefined);
	t.end();
});

t.test("at another level than the processor's kinds nothing fails", (t) => {
	// of the other kind of processor: the library says that it knows no such level
	const other = process.arch === "x64" ? "neon" : "avx2";
	t.equal(nativeFilterbanks(other).open(planOf(usual)), undefined);
	t.end();
});

t.test("a frame's bits depend on no other frame", { skip }, (t) => {
	const samples = soundOf(usual);
	const plan = planOf(usual);
	const mels = usual.mels;
	const all = [
		...natives(plan),
		["script", new ScriptFilterbank(plan)],
	] as const;
	for (const [name, filterbank] of all) {
		const whole = computed(filterbank, samples, usual);
		for (const frames of [1, 2, 3, 5, 8, 9])
			for (let first = 0; first + frames <= usual.frames; first += 3) {
				const part = samples.subarray(first * 160);
				t.same(
					computed(filterbank, part, { frames, mels }),
					whole.subarray(first * mels, (first + frames) * mels),
					`${name}: ${frames} frames from ${first}`,
				);
			}
	}
	t.end();
});

t.test(
	"a sample that is no number spoils its own frames only",
	{ skip },
	(t) => {
		const plan = planOf(usual);
		const { mels, frames, frameSamples } = usual;
		const { offset } = plan.filters;
		const hasWeights = (mel: number) => offset[mel] !== offset[mel + 1];
		const all = [
			...natives(plan),
			["script", new ScriptFilterbank(plan)],
		] as const;
		for (const [name, filterbank] of all)
			for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
				const samples = soundOf(usual);
				const whole = computed(filterbank, samples, usual);
				const at = 1700;
				samples[at] = bad;
				const given = computed(filterbank, samples, usual);
				for (let frame = 0; frame < frames; frame++) {
					const of = given.subarray(frame * mels, (frame + 1) * mels);
					const inside = at >= frame * 160 && at < frame * 160 + frameSamples;
					// a filter without weights has no part in the sound
					if (inside)
						t.notOk(
							of.some((it, mel) => hasWeights(mel) && Number.isFinite(it)),
							`${name}: ${bad} in ${frame}`,
						);
					else t.same(of, whole.subarray(frame * mels, (frame + 1) * mels));
				}
			}
		t.end();
	},
);

t.test("samples or room that do not suffice are refused", { skip }, (t) => {
	const plan = planOf(usual);
	const all = [
		...natives(plan),
		["script", new ScriptFilterbank(plan)],
	] as const;
	for (const [name, filterbank] of all) {
		const into = new Float32Array(160);
		for (const [samples, frames] of [
			[0, 1],
			[1, 1],
			[399, 1],
			[559, 2],
			[2000, 3],
			[2000, -1],
			[2000, 1.5],
		] as const)
			t.throws(
				() => filterbank.compute(new Float32Array(samples), frames, into),
				{ name: "AssertionError" },
				`${name}: ${samples} samples, ${frames} frames`,
			);
		t.ok(into.every((it) => it === 0));
		filterbank.compute(new Float32Array(0), 0, new Float32Array(0));
	}
	t.end();
});

/** Like speech: noise whose level and colour change. */
function sound(samples: number): Float32Array {
	const random = randomOf(7);
	let before = 0;
	return Float32Array.from({ length: samples }, (_, i) => {
		before = 0.9 * before + random() - 0.5;
		return 0.3 * before * Math.sin(i / 3000) ** 2;
	});
}

/** Of everything a model can be given. */
function allFeatures(
	samples: Float32Array,
	port: FilterbankPort | undefined,
): Map<string, Float32Array> {
	const found = new Map<string, Float32Array>();
	for (const toolkit of toolkits)
		for (const normalization of ["none", "per-feature"] as const) {
			const frontEnd = new FrontEnd({ toolkit, mels: 80, normalization }, port);
			found.set(`${toolkit} ${normalization}`, frontEnd.of(samples).values);
		}
	for (const mels of [80, 128]) {
		const logMel = new LogMel(mels, port);
		logMel.accept(samples);
		logMel.finish();
		found.set(`Whisper's ${mels}`, logMel.take());
	}
	return found;
}

t.test(
	"every toolkit's features, and audio shorter than a frame",
	{ skip },
	(t) => {
		for (const samples of [0, 1, 79, 80, 200, 201, 399, 400, 401, 16_011]) {
			const expected = allFeatures(sound(samples), undefined);
			for (const [name, given] of allFeatures(sound(samples), native)) {
				const wanted = expected.get(name) ?? new Float32Array(0);
				t.equal(given.length, wanted.length, `${name}: ${samples} samples`);
				// normalised to a deviation of 1, a channel's roundings are as much larger as its deviation was smaller
				const most = name.endsWith("per-feature") ? 1e-4 : differenceMax;
				const worst = given.reduce(
					(most, value, i) =>
						Math.max(
							most,
							Math.abs(value - (wanted[i] as number)) /
								Math.max(1, Math.abs(wanted[i] as number)),
						),
					0,
				);
				t.ok(worst <= most, `${name}: ${samples} samples: ${worst} apart`);
			}
		}
		t.end();
	},
);
