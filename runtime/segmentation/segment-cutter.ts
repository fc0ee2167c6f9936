/**
 * Keeps the windows that may become part of a segment, and cuts segments out of them: their samples, the silences in them, and where they are certainly speech.
 */
import { rmsDbfs } from "../audio/level.js";
import type { Segment, Silence } from "./events.js";
import type { EndpointRules } from "./rules.js";
import { SampleHistory } from "./sample-history.js";
import { windowSamples } from "./speech-detector.js";
import { WindowTraces } from "./window-traces.js";

/** Speech that has begun, as far as it has come. */
export interface OpenSpeech {
	readonly startSample: number;
	readonly speechStartSample: number;
	silentWindows: number;
	speechEndSample: number;
	readonly pauses: Silence[];
}

export class SegmentCutter {
	readonly #rules: EndpointRules;
	readonly #history = new SampleHistory();
	readonly #traces: WindowTraces;

	constructor(rules: EndpointRules) {
		this.#rules = rules;
		this.#traces = new WindowTraces(rules);
	}

	/** Number of samples kept. */
	get length(): number {
		return this.#history.length;
	}

	/** One past the last sample. */
	get end(): number {
		return this.#history.end;
	}

	/** @param window copied. */
	append(window: Float32Array, probability: number): void {
		this.#history.append(window);
		this.#traces.push({ probability, levelDbfs: rmsDbfs(window) });
	}

	/** As of `WindowTraces`. */
	speechStart(onsetSample: number): number {
		return this.#traces.speechStart(onsetSample);
	}

	/** First sample of the quietest of the last windows. */
	get quietestSample(): number {
		return this.#traces.quietestSample;
	}

	/** In a pause, the end that was announced with it; otherwise the last sample. */
	endNow(speech: OpenSpeech): number {
		return speech.silentWindows >= this.#rules.pauseWindows
			? this.keptEnd(speech)
			: this.#history.end;
	}

	/** Keeps the length of a pause after the last speech. */
	keptEnd(speech: OpenSpeech): number {
		const kept = this.#rules.pauseWindows * windowSamples;
		return Math.min(this.#history.end, speech.speechEndSample + kept);
	}

	segment(index: number, speech: OpenSpeech, endSample: number): Segment {
		return {
			index,
			startSample: speech.startSample,
			endSample,
			speechStartSample: Math.max(speech.startSample, speech.speechStartSample),
			speechEndSample: speech.speechEndSample,
			pauses: speech.pauses.filter(
				(it) => it.endSample < speech.speechEndSample,
			),
			voiced: this.#traces.voiced(speech.startSample, endSample),
			samples: this.#history.copy(speech.startSample, endSample),
		};
	}

	/** Discards what can't become part of a segment that begins at this sample or later. */
	forgetBefore(startSample: number): void {
		const { faintLookbackWindows, preRollSamples } = this.#rules;
		const lookback =
			startSample -
			Math.max(preRollSamples, (faintLookbackWindows + 2) * windowSamples);
		this.#history.forgetBefore(lookback);
		this.#traces.forgetBefore(lookback);
	}
}
