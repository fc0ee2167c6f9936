/**
 * What a microphone's capture processes told of its device, added up over all of them: counts go on where a process died and the next one counts from
 * zero. Pure.
 */
import type { CapturedAudio, CaptureHealth } from "./protocol.js";
import { warningsOf } from "./sound-warnings.js";

/** Of each period in the level that is told: about a second counts. */
const newestShare = 0.04;

export class CaptureTotals {
	#health: CaptureHealth | undefined;
	/** Of processes that are gone. */
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

	/** No sound comes. */
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

	/** Capture processes that ended without being asked to. */
	get deaths(): number {
		return this.#deaths;
	}

	/** Recorded by the card, and never here; at 16 kHz. */
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

	/** Of the last second, dBFS; none while no sound comes. */
	get levelsDbfs(): readonly number[] {
		return this.#powers.map((power) => 10 * Math.log10(power));
	}
}
