/**
 * What made sounds are shaped with: filters, envelopes, levels. 16 kHz, mono; the same numbers on every machine.
 */

const rateHz = 16_000;

/** Makes a sound. @param random 0 to 1, of a seed. @returns at 16 kHz, at any level. */
export type Maker = (seconds: number, random: () => number) => Float32Array;

export function samplesOf(seconds: number): number {
	return Math.round(seconds * rateHz);
}

/** A resonance: what lies near `hz` comes through. @param q how narrow. */
export function bandPass(
	samples: Float32Array,
	hz: number,
	q: number,
): Float32Array {
	const w = (2 * Math.PI * hz) / rateHz;
	const alpha = Math.sin(w) / (2 * q);
	const a0 = 1 + alpha;
	const b0 = alpha / a0;
	const a1 = (-2 * Math.cos(w)) / a0;
	const a2 = (1 - alpha) / a0;
	const out = new Float32Array(samples.length);
	let x1 = 0;
	let x2 = 0;
	let y1 = 0;
	let y2 = 0;
	for (let i = 0; i < samples.length; i++) {
		const x = samples[i] as number;
		const y = b0 * (x - x2) - a1 * y1 - a2 * y2;
		x2 = x1;
		x1 = x;
		y2 = y1;
		y1 = y;
		out[i] = y;
	}
	return out;
}

/** What lies below `hz`, 6 dB less for each octave above. */
export function lowPass(samples: Float32Array, hz: number): Float32Array {
	const pole = Math.exp((-2 * Math.PI * hz) / rateHz);
	let state = 0;
	return samples.map((sample) => {
		state = pole * state + (1 - pole) * sample;
		return state;
	});
}

/** @param gain of a time in seconds. */
export function shaped(
	samples: Float32Array,
	gain: (seconds: number) => number,
): Float32Array {
	return samples.map((sample, i) => sample * gain(i / rateHz));
}

/** So loud at its loudest, with soft edges. */
export function toPeak(samples: Float32Array, peak: number): Float32Array {
	let max = 1e-9;
	for (const sample of samples) max = Math.max(max, Math.abs(sample));
	const edge = samplesOf(0.005);
	return samples.map((sample, i) => {
		const fade = Math.min(1, i / edge, (samples.length - 1 - i) / edge);
		return (sample * fade * peak) / max;
	});
}

/** Adds a sound at a time; what reaches over the end is left out. */
export function place(
	whole: Float32Array,
	sound: Float32Array,
	seconds: number,
	gain = 1,
): void {
	const at = samplesOf(seconds);
	for (let i = 0; i < sound.length && at + i < whole.length; i++)
		whole[at + i] = (whole[at + i] as number) + gain * (sound[i] as number);
}

/** Rises in `attack` seconds, then falls to a third in each `decay`. */
export function struck(attack: number, decay: number) {
	return (seconds: number) =>
		Math.min(1, seconds / attack) *
		Math.exp(-Math.max(0, seconds - attack) / decay);
}

/** Up and down, `hz` times a second, never under `floor`. */
export function swelling(hz: number, floor = 0) {
	return (seconds: number) =>
		floor + (1 - floor) * (0.5 - 0.5 * Math.cos(2 * Math.PI * hz * seconds));
}

/** A tone with harmonics, each `tilt` times as loud as the one before. @param hz of a time. */
export function harmonics(
	seconds: number,
	hz: (seconds: number) => number,
	count: number,
	tilt: number,
): Float32Array {
	const out = new Float32Array(samplesOf(seconds));
	let phase = 0;
	for (let i = 0; i < out.length; i++) {
		const pitch = hz(i / rateHz);
		phase += (2 * Math.PI * pitch) / rateHz;
		let sum = 0;
		let gain = 1;
		for (let k = 1; k <= count && k * pitch < rateHz / 2; k++) {
			sum += gain * Math.sin(k * phase);
			gain *= tilt;
		}
		out[i] = sum;
	}
	return out;
}
