/**
 * Detects faults in a microphone's audio: a DC offset (removed here, in place), samples at full scale, or nothing but zeros (a muted or broken card).
 */
const fullScale = 0.9999;
/** The DC offset's filter: a first-order high-pass at 20 Hz, below any voice. */
const cutoffHz = 20;

export class SoundCheck {
	readonly #keep: number;
	readonly #rateHz: number;
	/** Of each channel. */
	readonly #offsets: Float64Array;
	#samples = 0;
	#clipped = 0;
	#zeroFrames = 0;

	constructor(channels: number, rateHz: number) {
		this.#rateHz = rateHz;
		this.#keep = Math.exp((-2 * Math.PI * cutoffHz) / rateHz);
		this.#offsets = new Float64Array(channels);
	}

	/** @param channels raw; the offset is removed in place. */
	accept(channels: readonly Float32Array[]): void {
		let isZero = true;
		channels.forEach((samples, channel) => {
			let offset = this.#offsets[channel] as number;
			for (let i = 0; i < samples.length; i++) {
				const sample = samples[i] as number;
				if (sample !== 0) isZero = false;
				if (sample >= fullScale || sample <= -fullScale) this.#clipped++;
				offset = this.#keep * offset + (1 - this.#keep) * sample;
				samples[i] = sample - offset;
			}
			this.#offsets[channel] = Math.abs(offset) < 1e-20 ? 0 : offset;
			this.#samples += samples.length;
		});
		const frames = channels[0]?.length ?? 0;
		this.#zeroFrames = isZero ? this.#zeroFrames + frames : 0;
	}

	/** Share of the samples at full scale since the last call. */
	takeClippedShare(): number {
		const share = this.#samples === 0 ? 0 : this.#clipped / this.#samples;
		this.#samples = 0;
		this.#clipped = 0;
		return share;
	}

	get dcOffset(): number {
		let largest = 0;
		for (const offset of this.#offsets)
			if (Math.abs(offset) > Math.abs(largest)) largest = offset;
		return largest;
	}

	get zeroSeconds(): number {
		return this.#zeroFrames / this.#rateHz;
	}
}
