/**
 * Locates utterances: maps samples of one microphone, counted since it started, to the system's clock and to degrees.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { WakeWordEvent } from "../session/continued-events.js";
import type { Utterance } from "../session/events.js";
import type {
	MicrophoneUtterance,
	MicrophoneWake,
} from "./microphone-events.js";
import type { CapturedAudio } from "./protocol.js";
import { SampleClock } from "./sample-clock.js";
import { UtteranceDirections } from "./utterance-directions.js";

const samplesOf = (ms: number) => Math.round((ms * sampleRateHz) / 1000);

export class UtteranceLocator {
	readonly #directions = new UtteranceDirections();
	readonly #clock = new SampleClock();

	/** @param endSample one past the last sample of the period that arrived. @param nowMs of the system's clock. */
	note(
		{ directions }: Pick<CapturedAudio, "directions">,
		endSample: number,
		nowMs: number,
	): void {
		this.#clock.note(endSample, nowMs);
		if (directions) this.#directions.push(endSample, directions);
	}

	/** Audio was lost before this sample. */
	gap(sample: number): void {
		this.#clock.gap(sample);
	}

	/** @param startSample of the recognition that emitted it: the utterance's times are relative to it. */
	locate(
		utterance: Utterance,
		index: number,
		startSample: number,
	): MicrophoneUtterance {
		const { text, spoken, confidence, words, beginMs } = utterance;
		return {
			index,
			...this.#locateRange(utterance, startSample),
			text,
			...(spoken !== undefined && { spoken }),
			confidence,
			words: words.map((word) => ({
				...word,
				startMs: word.startMs - beginMs,
				endMs: word.endMs - beginMs,
			})),
		};
	}

	/** @param startSample of the recognition that emitted it. */
	locateWake(wake: WakeWordEvent, startSample: number): MicrophoneWake {
		const { phrase, confidence } = wake;
		return { phrase, confidence, ...this.#locateRange(wake, startSample) };
	}

	#locateRange(
		{ beginMs, endMs }: { readonly beginMs: number; readonly endMs: number },
		startSample: number,
	) {
		const begin = startSample + samplesOf(beginMs);
		const end = startSample + samplesOf(endMs);
		const azimuthDeg = this.#directions.azimuthDeg(begin, end);
		return {
			beginAtMs: this.#clock.atMs(begin),
			endAtMs: this.#clock.atMs(end),
			...(azimuthDeg !== undefined && { azimuthDeg }),
		};
	}
}
