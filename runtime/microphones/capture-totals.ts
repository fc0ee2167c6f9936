/**
 * Totals of what a microphone's capture processes reported about its device: counts continue when a process dies and the next one starts from
 * zero. Pure.
 */
import type { CapturedAudio, CaptureHealth } from "./protocol.js";
import { warningsOf } from "./sound-warnings.js";

/** Weight of each period in the reported level: about a second counts. */
const newestShare = 0.04;

export class CaptureTotals {
	#health: CaptureHealth | undefined;
	/** Of earlier processes. */
	#xrunsBefore = 0;
	#suspendsBefore = 0;
	#opens = 0;
	#deaths = 0;
	#lostSamples = 0;
	/** Mean square of each channel. */
	#powers: number[] = [];

	opened(): void {
		this.#opens++;
		this.#powers = [];
	}

	addAudio({ levelsDbfs, lostSamples = 0 }: CapturedAudio): void {
		this.#lostSamples += lostSamples;
		this.#powers = levelsDbfs.map((level, channel) => {
			const power = 10 ** (level / 10);
			const before = this.#powers[channel] ?? power;
			return before + newestShare * (power - before);
		});
	}

	addHealth(health: CaptureHealth): void {
		this.#health = health;
	}

	/** No audio is arriving. */
	lost(): void {
		this.#powers = [];
	}

	died(): void {
		this.#deaths++;
		this.#xrunsBefore = this.xruns;
		this.#suspendsBefore = this.suspends;
		this.#health = undefined;
	}

	get xruns(): number {
		return this.#xrunsBefore + (this.#health?.xruns ?? 0);
	}

	get suspends(): number {
		return this.#suspendsBefore + (this.#health?.suspends ?? 0);
	}

	/** Times that the device was opened after the first. */
	get reconnects(): number {
		return Math.max(0, this.#opens - 1);
	}

	/** Capture processes that ended without being stopped. */
	get deaths(): number {
		return this.#deaths;
	}

	/** Recorded by the card but never received; at 16 kHz. */
	get lostSamples(): number {
		return this.#lostSamples;
	}

	/** Whole parts per million. */
	get driftPpm(): number | undefined {
		const ppm = this.#health?.driftPpm;
		return ppm === undefined ? undefined : Math.round(ppm);
	}

	get warnings(): readonly string[] {
		return this.#health ? warningsOf(this.#health) : [];
	}

	/** Over the last second, dBFS; empty while no audio arrives. */
	get levelsDbfs(): readonly number[] {
		return this.#powers.map((power) => 10 * Math.log10(power));
	}
}
