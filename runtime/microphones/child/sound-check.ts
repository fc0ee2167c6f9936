/**
 * Detects faults in a microphone's audio: a DC offset (removed here, in place), samples at full scale, or nothing but zeros (a muted or broken card).
 */
import type { CaptureHealth } from "../protocol.js";

const fullScale = 0.9999;
/** The DC offset's filter: a first-order high-pass at 20 Hz, below any voice. */
const cutoffHz = 20;

type SoundHealth = Pick<
	CaptureHealth,
	"dcOffset" | "clippedShare" | "zeroSeconds"
>;

export class SoundCheck {
	readonly #keep: number;
	readonly #rateHz: number;
	/** Of each channel; follows deep voices as well. */
	readonly #offsets: Float64Array;
	/** Of each channel, since the last report. */
	readonly #sums: Float64Array;
	#frames = 0;
	#clipped = 0;
	#zeroFrames = 0;

	constructor(channels: number, rateHz: number) {
		this.#rateHz = rateHz;
		this.#keep = Math.exp((-2 * Math.PI * cutoffHz) / rateHz);
		this.#offsets = new Float64Array(channels);
		this.#sums = new Float64Array(channels);
	}

	/** @param channels raw; the offset is removed in place. */
	accept(channels: readonly Float32Array[]): void {
		let isZero = true;
		channels.forEach((samples, channel) => {
			let offset = this.#offsets[channel] as number;
			let sum = this.#sums[channel] as number;
			for (let i = 0; i < samples.length; i++) {
				const sample = samples[i] as number;
				if (sample !== 0) isZero = false;
				if (sample >= fullScale || sample <= -fullScale) this.#clipped++;
				sum += sample;
				offset = this.#keep * offset + (1 - this.#keep) * sample;
				samples[i] = sample - offset;
			}
			this.#offsets[channel] = Math.abs(offset) < 1e-20 ? 0 : offset;
			this.#sums[channel] = sum;
		});
		const frames = channels[0]?.length ?? 0;
		this.#frames += frames;
		this.#zeroFrames = isZero ? this.#zeroFrames + frames : 0;
	}

	/** Of what came since the last call. */
	takeHealth(): SoundHealth {
		const frames = Math.max(1, this.#frames);
		const health = {
			dcOffset: largestOf(this.#sums) / frames,
			clippedShare: this.#clipped / frames / Math.max(1, this.#sums.length),
			zeroSeconds: this.#zeroFrames / this.#rateHz,
		};
		this.#frames = 0;
		this.#clipped = 0;
		this.#sums.fill(0);
		return health;
	}
}

function largestOf(values: Float64Array): number {
	return values.reduce(
		(largest, it) => (Math.abs(it) > Math.abs(largest) ? it : largest),
		0,
	);
}
