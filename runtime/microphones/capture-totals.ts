/**
 * Totals of what a microphone's capture processes reported about its device: counts continue when a process dies and the next one starts from
 * zero. Pure.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { CapturedAudio, CaptureHealth } from "./protocol.js";
import { type SoundWarning, warningsOf } from "./sound-warnings.js";

/** Weight of each period in the level of this moment: about 150 ms count, so that who looks ten times a second misses nothing in between. */
const momentShare = 0.5;

export class CaptureTotals {
	#health: CaptureHealth | undefined;
	/** Of earlier processes. */
	#xrunsBefore = 0;
	#suspendsBefore = 0;
	#opens = 0;
	#deaths = 0;
	#lostSamples = 0;
	/** Mean square of each channel. */
	#powers: readonly number[] = [];
	#momentPowers: readonly number[] = [];

	opened(): void {
		this.#opens++;
		this.lost();
	}

	addAudio({ bytes, levelsDbfs, lostSamples = 0 }: CapturedAudio): void {
		// periods have different lengths: about a second counts
		const newestShare = Math.min(1, bytes.length / 2 / sampleRateHz);
		this.#lostSamples += lostSamples;
		const powers = levelsDbfs.map((level) => 10 ** (level / 10));
		this.#powers = mixed(this.#powers, powers, newestShare);
		this.#momentPowers = mixed(this.#momentPowers, powers, momentShare);
	}

	addHealth(health: CaptureHealth): void {
		this.#health = health;
	}

	/** No audio is arriving. */
	lost(): void {
		this.#powers = [];
		this.#momentPowers = [];
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

	get warnings(): readonly SoundWarning[] {
		return this.#health ? warningsOf(this.#health) : [];
	}

	/** Over the last second, dBFS; empty while no audio arrives. */
	get levelsDbfs(): readonly number[] {
		return this.#powers.map(dbfs);
	}

	/** At this moment, for a meter that moves. */
	get momentLevelsDbfs(): readonly number[] {
		return this.#momentPowers.map(dbfs);
	}
}

function mixed(
	before: readonly number[],
	newest: readonly number[],
	share: number,
): readonly number[] {
	return newest.map((power, channel) => {
		const old = before[channel] ?? power;
		return old + share * (power - old);
	});
}

function dbfs(power: number): number {
	return 10 * Math.log10(power);
}
