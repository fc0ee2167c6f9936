/**
 * Delay and sum: each microphone is delayed by as much as the wave reached it too early, and their mean is heard. What comes from elsewhere, and the
 * microphones' own noise, adds up out of step: with n microphones the noise loses up to 10 log10(n) dB.
 *
 * Delays are fractions of samples: windowed-sinc filters. A new direction is faded in over a piece, so that no click is heard.
 */

import assert from "node:assert";
import { sampleRateHz } from "../sample-rate.js";
import { type Geometry, leads } from "./geometry.js";

/** Taps on each side of the delay: flat to 7 kHz. */
const reach = 8;

export class Beamformer {
	readonly #geometry: Geometry;
	/** Delay common to all, so that none is negative: samples. */
	readonly #baseDelay: number;
	readonly #taps: number;
	/** What came before the piece, [taps - 1] of each microphone. */
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

	/** By how much what comes out is later than what goes in. */
	get delaySamples(): number {
		return this.#baseDelay;
	}

	/** Where it listens to; undefined: everywhere alike. */
	get azimuthDeg(): number | undefined {
		return this.#azimuthDeg;
	}

	/** From the next piece on. */
	steer(azimuthDeg: number): void {
		if (azimuthDeg === this.#azimuthDeg) return;
		this.#azimuthDeg = azimuthDeg;
		this.#next = this.#delays(leads(this.#geometry, azimuthDeg));
	}

	/** @param channels one array a microphone, equally long. @returns as many samples. */
	accept(channels: readonly Float32Array[]): Float32Array {
		assert(channels.length === this.#tails.length, "one array a microphone");
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

	/** @param lead seconds by which each hears it early. */
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
