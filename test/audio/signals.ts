/**
 * Generated signals for tests of audio. Noise has a seed, so that a failure is reproducible.
 */

/** Park-Miller: uniform in (0, 1), the same on every machine. */
export function seededRandom(seed: number): () => number {
	let state = seed % 2147483647 || 1;
	return () => {
		state = (state * 48271) % 2147483647;
		return state / 2147483647;
	};
}

export interface Tone {
	readonly hz: number;
	readonly rateHz: number;
	readonly seconds: number;
	/** Peak. */
	readonly amplitude: number;
}

export function tone({ hz, rateHz, seconds, amplitude }: Tone): Float32Array {
	return Float32Array.from(
		{ length: Math.round(seconds * rateHz) },
		(_, i) => amplitude * Math.sin((2 * Math.PI * hz * i) / rateHz),
	);
}

/** Gaussian, by the sum of twelve. @param rms root mean square. */
export function whiteNoise(
	samples: number,
	rms: number,
	random: () => number,
): Float32Array {
	return Float32Array.from({ length: samples }, () => {
		let sum = -6;
		for (let i = 0; i < 12; i++) sum += random();
		return sum * rms;
	});
}

/** White noise with 3 dB less an octave (Kellet's filter of six poles). */
export function pinkNoise(
	samples: number,
	rms: number,
	random: () => number,
): Float32Array {
	const poles = [0.99886, 0.99332, 0.969, 0.8665, 0.55, -0.7616];
	const gains = [
		0.0555179, 0.0750759, 0.153852, 0.3104856, 0.5329522, -0.016898,
	];
	const state = poles.map(() => 0);
	const pink = whiteNoise(samples, 1, random).map((white) => {
		let sum = white * 0.5362;
		for (let k = 0; k < poles.length; k++) {
			state[k] =
				(poles[k] as number) * (state[k] as number) +
				(gains[k] as number) * white;
			sum += state[k] as number;
		}
		return sum;
	});
	let power = 0;
	for (const sample of pink) power += sample * sample;
	const scale = rms / Math.sqrt(power / samples);
	return pink.map((sample) => sample * scale);
}

/** @returns amplitude of the part of `samples` at this frequency, by correlation. */
export function amplitudeAt(
	samples: Float32Array,
	hz: number,
	rateHz: number,
): number {
	let cosine = 0;
	let sine = 0;
	for (let i = 0; i < samples.length; i++) {
		const window = 1 - Math.cos((2 * Math.PI * i) / samples.length); // Hann, mean 1
		const angle = (2 * Math.PI * hz * i) / rateHz;
		cosine += (samples[i] as number) * window * Math.cos(angle);
		sine += (samples[i] as number) * window * Math.sin(angle);
	}
	return (2 * Math.hypot(cosine, sine)) / samples.length;
}

export function join(pieces: readonly Float32Array[]): Float32Array {
	const whole = new Float32Array(
		pieces.reduce((sum, piece) => sum + piece.length, 0),
	);
	let offset = 0;
	for (const piece of pieces) {
		whole.set(piece, offset);
		offset += piece.length;
	}
	return whole;
}
