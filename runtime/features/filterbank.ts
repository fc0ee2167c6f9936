/** The filterbank of filterbank-port.ts in JavaScript, frame by frame. */
import assert from "node:assert";
import {
	expectRoom,
	type Filterbank,
	type FilterbankPlan,
	type FilterbankPort,
	hopSamples,
} from "./filterbank-port.js";
import { RealFft } from "./real-fft.js";

/** @param port absent: in JavaScript. */
export function openFilterbank(
	plan: FilterbankPlan,
	port: FilterbankPort | undefined,
): Filterbank {
	return port?.open(plan) ?? new ScriptFilterbank(plan);
}

export class ScriptFilterbank implements Filterbank {
	readonly #plan: FilterbankPlan;
	readonly #fft: RealFft;
	readonly #power: Float64Array;

	constructor(plan: FilterbankPlan) {
		this.#plan = plan;
		this.#fft = new RealFft(plan.points);
		this.#power = new Float64Array(plan.points / 2 + 1);
		assert(
			plan.window.length % 2 === 0 && plan.window.length <= plan.points,
			`a window of ${plan.window.length}`,
		);
	}

	compute(samples: Float32Array, count: number, into: Float32Array): void {
		expectRoom(this.#plan, samples, count, into);
		const mels = this.#plan.filters.count;
		for (let i = 0; i < count; i++) {
			this.#load(samples, i * hopSamples);
			this.#fft.power(this.#power);
			this.#energies(into, i * mels);
		}
	}

	#load(samples: Float32Array, start: number): void {
		const { window, removeOffset, preEmphasis } = this.#plan;
		const { re, im } = this.#fft;
		let mean = 0;
		if (removeOffset) {
			for (let i = 0; i < window.length; i++)
				mean += samples[start + i] as number;
			mean /= window.length;
		}
		let before = (samples[start] as number) - mean;
		for (let i = 0; i < window.length; i += 2) {
			const even = (samples[start + i] as number) - mean;
			const odd = (samples[start + i + 1] as number) - mean;
			re[i / 2] = (even - preEmphasis * before) * (window[i] as number);
			im[i / 2] = (odd - preEmphasis * even) * (window[i + 1] as number);
			before = odd;
		}
		re.fill(0, window.length / 2);
		im.fill(0, window.length / 2);
	}

	#energies(into: Float32Array, at: number): void {
		const { filters, noise, energyMin, logarithm } = this.#plan;
		const { count, firstBin, offset, weights } = filters;
		const power = this.#power;
		const log = logarithm === "natural" ? Math.log : Math.log10;
		for (let mel = 0; mel < count; mel++) {
			let energy = noise[mel] as number;
			const end = offset[mel + 1] as number;
			for (
				let i = offset[mel] as number, bin = firstBin[mel] as number;
				i < end;
				i++, bin++
			)
				energy += (weights[i] as number) * (power[bin] as number);
			into[at + mel] = log(Math.max(energy, energyMin));
		}
	}
}
