/** Sessions at any pace: chunking, times of decoding and costs of decodes. */
import assert from "node:assert/strict";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random, several } from "../fuzz/random.js";
import { perform, rehearse, speech } from "./rehearsal.js";

const partsMax = 30;
const optionsTried = [
	{},
	{ dynamicBreak: true },
	{ suffixSilenceMs: 0 },
	{ suffixSilenceMs: 1500, durationSecondsMax: 20 },
];

interface Case {
	/** As `speech` takes them. */
	readonly partsMs: readonly number[];
	readonly options: (typeof optionsTried)[number];
	readonly partials: boolean;
	readonly steps: readonly Step[];
}

/** What happens at each chunk; repeated when used up. */
interface Step {
	readonly samples: number;
	readonly decodes: boolean;
	readonly inputWaits: boolean;
	readonly costSeconds: number;
}

export const paceMakesNoDifference = (): Property<Case> => ({
	name: "session/pace",
	promise: "any cut and pace gives the same finals, with partials and without",
	draw(random) {
		const longest = pick(random, [4000, 50_000, 513, 511, 64]);
		return {
			partsMs: several(random, partsMax, () => somePart(random)),
			options: pick(random, optionsTried),
			partials: random() >= 0.3,
			steps: Array.from({ length: 40 }, () => ({
				samples: 1 + below(random, longest),
				decodes: random() < 0.5,
				inputWaits: random() >= 0.5,
				costSeconds: random(),
			})),
		};
	},
	async check({ partsMs, options, partials, steps }) {
		const samples = speech(...partsMs);
		const whole = await perform(rehearse(options), samples, {
			chunk: () => samples.length,
		});
		let at = 0;
		const step = () => steps[at % steps.length] as Step;
		const { events } = await perform(
			rehearse({ ...options, partials }),
			samples,
			{
				chunk() {
					at++;
					return step().samples;
				},
				decodeNow: () => step().decodes,
				inputWaits: () => step().inputWaits,
				costSeconds: () => step().costSeconds,
			},
		);
		assert.deepEqual(
			events.filter((it) => it.is !== "partial"),
			whole.events,
		);
	},
});

function somePart(random: Random): number {
	const ms = 20 + below(random, random() < 0.8 ? 900 : 9000);
	return random() < 0.5 ? ms : -ms;
}
