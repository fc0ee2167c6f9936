/**
 * The last check before stateful arithmetic: a single NaN permanently breaks a resampler or a recurrent model, and denormals make a
 * matrix product a hundred times slower.
 */
import { CodedError } from "../errors.js";

/** Far below the quietest sound that 32-bit audio can represent. */
const denormalGuard = 1e-20;

/** Works in place. @throws CodedError 200006 at the first sample that is not finite. */
export function requireFinite(
	samples: Float32Array,
	firstSample: number,
): void {
	for (let i = 0; i < samples.length; i++) {
		const sample = samples[i] as number;
		// NaN fails both comparisons; infinities fail the second one
		if (!(sample - sample === 0))
			throw new CodedError(
				"200006",
				`audio sample ${firstSample + i} is not a finite number`,
			);
		if (sample < denormalGuard && sample > -denormalGuard) samples[i] = 0;
	}
}
