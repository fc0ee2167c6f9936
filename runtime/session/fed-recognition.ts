/** A recognition that is given the audio of a backlog, as much as it takes. */
import type { AudioBacklog } from "./audio-backlog.js";
import type { Recognition } from "./lane-port.js";

/** Chunk size during silence: in a quiet room most of a microphone's work is messages between processes. */
const quietSeconds = 0.16;

export class FedRecognition {
	readonly recognition: Recognition;
	/** Where its audio begins. */
	readonly startSample: number;
	readonly #quietSamples: number;
	#backlog: AudioBacklog;
	/** End of the audio written to it. */
	#givenSample: number;
	#takes = true;
	#finish: "no" | "wanted" | "sent" = "no";

	/** @param onDrain it takes more again. */
	constructor(
		recognition: Recognition,
		backlog: AudioBacklog,
		onDrain: () => void,
	) {
		this.recognition = recognition;
		this.startSample = backlog.startSample;
		this.#backlog = backlog;
		this.#givenSample = backlog.startSample;
		this.#quietSamples = quietSeconds * backlog.format.rateHz;
		recognition.onDrain(() => {
			this.#takes = true;
			onDrain();
		});
	}

	get givenSample(): number {
		return this.#givenSample;
	}

	/** Whether it was told that this is all. */
	get isFinished(): boolean {
		return this.#finish === "sent";
	}

	/** The audio that it needs next was dropped. */
	get hasFallenBehind(): boolean {
		return this.#givenSample < this.#backlog.startSample;
	}

	/** @param ms in its audio. */
	sampleAt(ms: number): number {
		const { rateHz } = this.#backlog.format;
		return this.startSample + Math.round((ms * rateHz) / 1000);
	}

	/** End of the audio that the engine has processed. */
	get processedSample(): number {
		const { bytesPerSample } = this.#backlog.format;
		const unused = (this.recognition.unusedBytes ?? 0) / bytesPerSample;
		return this.#givenSample - unused;
	}

	/** The engine has processed some of its audio: it was not refused. */
	get hasUsed(): boolean {
		return this.processedSample > this.startSample;
	}

	/** @param all even if it is less than a chunk of silence. */
	give(all: boolean): void {
		const everything = all || this.#finish !== "no";
		while (this.#takes && this.#finish !== "sent") {
			const bytes = this.#backlog.audioAt(
				this.#givenSample,
				this.#quietSamples,
			);
			const samples = bytes.length / this.#backlog.format.bytesPerSample;
			if (samples === 0) break;
			if (!everything && samples < this.#quietSamples) return;
			this.#givenSample += samples;
			this.#takes = this.recognition.write(bytes);
		}
		if (this.#finish === "wanted" && this.#hasAll) this.finish();
	}

	/** The backlog gets no more audio: it is finished when it has been given all. */
	finishAfterAll(backlog: AudioBacklog = this.#backlog): void {
		this.#backlog = backlog;
		if (this.#finish === "no") this.#finish = "wanted";
		this.give(true);
	}

	/** What it was to be given and did not take; after `finish` none. */
	get unwrittenSamples(): number {
		return this.#finish === "wanted"
			? this.#backlog.endSample - this.#givenSample
			: 0;
	}

	/** With what it has. */
	finish(): void {
		this.#finish = "sent";
		this.recognition.finish();
	}

	get #hasAll(): boolean {
		return this.#givenSample >= this.#backlog.endSample;
	}
}
