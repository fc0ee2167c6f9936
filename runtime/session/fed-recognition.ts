/** A recognition that is given the audio of a backlog, as much as it takes; and how much of that it has not recognized. */
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
	/** The first sample that it has not recognized, once the backlog is another one's: until then the backlog begins there. */
	#leftSample: number | undefined;

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
		if (this.#finish === "wanted" && this.#hasAll) this.#sendFinish();
	}

	/** Leaves the backlog to another one, and is finished with what it has. */
	leave(): void {
		this.#sendFinish();
		this.#leftSample = this.#backlog.startSample;
	}

	/** Leaves the backlog to another one, and is finished when it has been given all that has come until now. */
	leaveAfterAll(): void {
		this.#leftSample = this.#backlog.startSample;
		this.#backlog = this.#backlog.moveFrom(this.#givenSample);
		this.finishAfterAll();
	}

	/** The backlog gets no more audio: it is finished when it has been given all. */
	finishAfterAll(): void {
		if (this.#finish === "no") this.#finish = "wanted";
		this.give(true);
	}

	/** What it was to be given and did not take; after `finish` none. */
	get unwrittenSamples(): number {
		return this.#finish === "wanted"
			? this.#backlog.endSample - this.#givenSample
			: 0;
	}

	/** A final has come. @param ms its end, in the audio of this one */
	noteFinal(ms: number): void {
		if (this.#leftSample === undefined) return;
		const { rateHz } = this.#backlog.format;
		const endSample = this.startSample + Math.round((ms * rateHz) / 1000);
		this.#leftSample = Math.max(this.#leftSample, endSample);
	}

	/** Samples that it was given and that may hold speech without a final. @param isSpeech somebody is speaking */
	takenInVain(isSpeech: boolean): number {
		const startSample = this.#leftSample ?? this.#backlog.startSample;
		const from = isSpeech ? startSample : this.processedSample;
		return Math.max(0, this.#givenSample - Math.max(from, startSample));
	}

	#sendFinish(): void {
		this.#finish = "sent";
		this.recognition.finish();
	}

	get #hasAll(): boolean {
		return this.#givenSample >= this.#backlog.endSample;
	}
}
