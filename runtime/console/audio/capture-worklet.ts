/**
 * In the browser's audio thread: samples of the microphone to 16-bit frames of 40 ms at 16 kHz, with their peak. A context of another rate is resampled here,
 * since not every browser resamples a microphone for its page: a higher one by averaging, a lower one (a headset in a call) on straight lines.
 */

const rateHz = 16_000;
const frameSamples = 640;

class Capture extends AudioWorkletProcessor {
	readonly #step = sampleRate / rateHz;
	#frame = new Int16Array(frameSamples);
	#filled = 0;
	#peak = 0;
	#sum = 0;
	#count = 0;
	#previous = 0;
	/** Input samples left until the next output sample. */
	#left = this.#step;

	process([input]: Float32Array[][]): boolean {
		const channel = input?.[0];
		if (channel) for (const sample of channel) this.#take(sample);
		return true;
	}

	#take(sample: number): void {
		this.#peak = Math.max(this.#peak, Math.abs(sample));
		this.#sum += sample;
		this.#count++;
		this.#left -= 1;
		if (this.#left > 0.5) return;
		const mean = this.#sum / this.#count;
		this.#sum = 0;
		this.#count = 0;
		for (; this.#left <= 0.5; this.#left += this.#step)
			this.#put(
				this.#step < 1
					? this.#previous + (mean - this.#previous) * (this.#left + 0.5)
					: mean,
			);
		this.#previous = mean;
	}

	#put(value: number): void {
		this.#frame[this.#filled++] = Math.max(-1, Math.min(1, value)) * 32_767;
		if (this.#filled === frameSamples) this.#send();
	}

	#send(): void {
		const { buffer } = this.#frame;
		this.port.postMessage({ frame: buffer, peak: this.#peak }, [buffer]);
		this.#frame = new Int16Array(frameSamples);
		this.#filled = 0;
		this.#peak = 0;
	}
}

registerProcessor("capture", Capture);
