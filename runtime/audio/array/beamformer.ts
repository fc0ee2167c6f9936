/**
 * Delay and sum: each microphone is delayed by the time that the wave reached it early, and the output is their mean. Sound from other directions, and the
 * microphones' own noise, add up out of phase: with n microphones the noise is reduced by up to 10 log10(n) dB.
 *
 * Delays are fractional: windowed-sinc filters. A new direction is faded in over a piece, which avoids clicks.
 */

import assert from "node:assert";
import { sampleRateHz } from "../sample-rate.js";
import { type Geometry, leads } from "./geometry.js";

/** Taps on each side of the delay: flat to 7 kHz. */
const reach = 8;

export class Beamformer {
	readonly #geometry: Geometry;
	/** Delay common to all microphones, so that none is negative; in samples. */
	readonly #baseDelay: number;
	readonly #taps: number;
	/** Samples before the current piece, [taps - 1] for each microphone. */
	readonly #tails: Float32Array[];
	#filters: readonly Float32Array[];
	#next: readonly Float32Array[] | undefined;
	#azimuthDeg: number | undefined;

	constructor(geometry: Geometry) {
		this.#geometry = geometry;
		const farthest = Math.max(
			...Array.from({ length: 72 }, (_, at) =>
				Math.max(...leads(geometry, at * 5).map(Math.abs)),
			),
		);
		this.#baseDelay = Math.ceil(farthest * sampleRateHz) + reach;
		this.#taps = 2 * this.#baseDelay + 1;
		this.#tails = geometry.map(() => new Float32Array(this.#taps - 1));
		this.#filters = this.#delays(new Float64Array(geometry.length));
	}

	/** Delay of the output relative to the input. */
	get delaySamples(): number {
		return this.#baseDelay;
	}

	/** Direction of the beam; undefined: none. */
	get azimuthDeg(): number | undefined {
		return this.#azimuthDeg;
	}

	/** Turns the beam, from the next piece on. */
	steer(azimuthDeg: number): void {
		if (azimuthDeg === this.#azimuthDeg) return;
		this.#azimuthDeg = azimuthDeg;
		this.#next = this.#delays(leads(this.#geometry, azimuthDeg));
	}

	/** @param channels one array per microphone, of equal lengths. @returns the same number of samples. */
	accept(channels: readonly Float32Array[]): Float32Array {
		assert(channels.length === this.#tails.length, "one array per microphone");
		const length = channels[0]?.length ?? 0;
		const whole = channels.map((samples, m) => this.#withTail(samples, m));
		const summed = this.#sum(whole, this.#filters, length);
		if (!this.#next || length === 0) return summed;
		const turned = this.#sum(whole, this.#next, length);
		for (let i = 0; i < length; i++) {
			const share = (i + 1) / length;
			summed[i] =
				(summed[i] as number) * (1 - share) + (turned[i] as number) * share;
		}
		this.#filters = this.#next;
		this.#next = undefined;
		return summed;
	}

	#withTail(samples: Float32Array, m: number): Float32Array {
		const tail = this.#tails[m] as Float32Array;
		const whole = new Float32Array(tail.length + samples.length);
		whole.set(tail);
		whole.set(samples, tail.length);
		this.#tails[m] = whole.slice(whole.length - tail.length);
		return whole;
	}

	#sum(
		whole: readonly Float32Array[],
		filters: readonly Float32Array[],
		length: number,
	): Float32Array {
		const sum = new Float32Array(length);
		const taps = this.#taps;
		whole.forEach((samples, m) => {
			const filter = filters[m] as Float32Array;
			let first = 0;
			while (first < taps && filter[first] === 0) first++;
			let last = taps - 1;
			while (last > first && filter[last] === 0) last--;
			for (let i = 0; i < length; i++) {
				let value = 0;
				const newest = i + taps - 1;
				for (let tap = first; tap <= last; tap++)
					value += (filter[tap] as number) * (samples[newest - tap] as number);
				sum[i] = (sum[i] as number) + value;
			}
		});
		return sum;
	}

	/** @param lead seconds by which the wave reaches each microphone early. */
	#delays(lead: Float64Array): Float32Array[] {
		return Array.from(lead, (seconds) => {
			const delay = this.#baseDelay + seconds * sampleRateHz;
			const filter = new Float32Array(this.#taps);
			const from = Math.max(0, Math.ceil(delay - reach));
			const to = Math.min(this.#taps - 1, Math.floor(delay + reach));
			for (let tap = from; tap <= to; tap++)
				filter[tap] = windowedSinc(tap - delay) / lead.length;
			return filter;
		});
	}
}

/** sinc(x) under a Hann window of the filter's reach. */
function windowedSinc(x: number): number {
	if (Math.abs(x) < 1e-9) return 1;
	if (Math.abs(x) >= reach) return 0;
	const angle = Math.PI * x;
	return (Math.sin(angle) / angle) * (0.5 + 0.5 * Math.cos(angle / reach));
}
