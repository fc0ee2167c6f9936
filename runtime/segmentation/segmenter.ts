/**
 * Windows and their probabilities in, segments out: hysteresis, minimum evidence, pre-roll, pauses, endpoints, splits. Pure: the same windows give
 * the same events.
 *
 * INVARIANTS
 * - Events of a segment: `begin`, then `pause` and `resume` alternately, any number of times, then `end`. Segments do not overlap and are numbered from 1.
 * - A segment that ends by silence, or by `finish` in a pause, has exactly the samples of its last `pause`: work done for the pause stays usable.
 * - At most the longest segment and the look-back before the next one are kept.
 */

import assert from "node:assert";
import type { Segment, SegmentEvent } from "./events.js";
import { LoneSound } from "./lone-sound.js";
import { type FoundSpeech, Onset, type PossibleSpeech } from "./onset.js";
import type { EndpointRules } from "./rules.js";
import { type OpenSpeech, SegmentCutter } from "./segment-cutter.js";
import { SentenceBreak } from "./sentence-break.js";
import { windowSamples } from "./speech-detector.js";

type Phase =
	| { readonly is: "silence" }
	| ({ readonly is: "speech" } & OpenSpeech)
	| { readonly is: "finished" };

type Speech = Extract<Phase, { is: "speech" }>;

export class Segmenter {
	readonly #rules: EndpointRules;
	readonly #sentenceBreak: SentenceBreak;
	readonly #cutter: SegmentCutter;
	readonly #onset: Onset;
	readonly #loneSound: LoneSound | undefined;
	#phase: Phase = { is: "silence" };
	#segmentsBegun = 0;
	/** Where the last segment ended: no sample is in two segments. */
	#lastEndSample = 0;
	/** Where the last segment's speech ended; undefined before the first. */
	#lastSpeechEndSample: number | undefined;

	constructor(rules: EndpointRules) {
		this.#rules = rules;
		this.#sentenceBreak = new SentenceBreak(rules);
		this.#cutter = new SegmentCutter(rules);
		this.#onset = new Onset(rules);
		const { loneEvidenceMin } = rules;
		this.#loneSound =
			loneEvidenceMin === undefined
				? undefined
				: new LoneSound(loneEvidenceMin);
	}

	/** Number of samples kept, for tests of the limit. */
	get samplesHeld(): number {
		return this.#cutter.length;
	}

	/**
	 * @param window 512 samples at 16 kHz; the last of a stream may be shorter. Copied.
	 * @param probability that it holds speech.
	 */
	accept(window: Float32Array, probability: number): SegmentEvent[] {
		assert(this.#phase.is !== "finished", "a window after the end");
		assert(this.#cutter.end % windowSamples === 0, "a window after a tail");
		this.#cutter.append(window, probability);
		const events = [...this.#step(probability), ...this.#cutIfLong()];
		this.#forget();
		return events;
	}

	/** Ends the open segment here; speech from here on belongs to the next one. */
	endSentence(): SegmentEvent[] {
		const phase = this.#phase;
		if (phase.is !== "speech") return [];
		this.#phase = { is: "silence" };
		return [this.#end(phase, this.#cutter.endNow(phase), "request")];
	}

	/** Ends the stream. */
	finish(): SegmentEvent[] {
		const phase = this.#phase;
		this.#phase = { is: "finished" };
		if (phase.is !== "speech") return this.#loneSegment();
		return [this.#end(phase, this.#cutter.endNow(phase), "finish")];
	}

	/** Samples since the last speech, or what a request that ends now would take for it; undefined before the first, and during a sound that may be speech. */
	get silentSamples(): number | undefined {
		const phase = this.#phase;
		if (this.#onset.possible) return undefined;
		const speechEnd =
			phase.is === "speech"
				? phase.speechEndSample
				: (this.#lastSpeechEndSample ??
					this.#loneSound?.segment?.speechEndSample);
		if (speechEnd === undefined) return undefined;
		const silentWindowSamples = this.#cutter.end - speechEnd;
		const lag = this.#rules.offsetLagWindows * windowSamples;
		return silentWindowSamples === 0 ? 0 : silentWindowSamples + lag;
	}

	/** A copy of the open segment, or of its part from a sample on. */
	openSegment(fromSample = 0): Segment | undefined {
		const phase = this.#phase;
		if (phase.is !== "speech") return undefined;
		const startSample = Math.max(phase.startSample, fromSample);
		return this.#segment({ ...phase, startSample }, this.#cutter.endNow(phase));
	}

	#step(probability: number): SegmentEvent[] {
		const phase = this.#phase;
		switch (phase.is) {
			case "silence": {
				const found = this.#onset.accept(probability, this.#cutter.end);
				if (found) return [this.#beginFound(found)];
				this.#considerDoubt();
				return [];
			}
			case "speech":
				return this.#continueSpeech(probability, phase);
			case "finished":
				return [];
		}
	}

	#beginFound({ onsetSample, speechEndSample }: FoundSpeech): SegmentEvent {
		if (this.#lastSpeechEndSample !== undefined)
			this.#sentenceBreak.acceptSilence(
				(onsetSample - this.#lastSpeechEndSample) / windowSamples,
			);
		const { startSample, speechStartSample } = this.#startsOf(onsetSample);
		return this.#begin(startSample, speechStartSample, speechEndSample);
	}

	/** Start of a segment and of its speech. */
	#startsOf(onsetSample: number) {
		const speechStart = this.#after(this.#cutter.speechStart(onsetSample));
		const preRoll = onsetSample - this.#rules.preRollSamples;
		const startSample = this.#after(Math.min(speechStart, preRoll));
		return { startSample, speechStartSample: speechStart };
	}

	#considerDoubt(): void {
		const { possible: doubt } = this.#onset;
		if (doubt && this.#segmentsBegun === 0)
			this.#loneSound?.consider(doubt, () => this.#segmentOf(doubt));
	}

	#segmentOf(doubt: PossibleSpeech): Segment {
		const speech: Speech = {
			is: "speech",
			...this.#startsOf(doubt.onsetSample),
			silentWindows: doubt.silentWindows,
			speechEndSample: doubt.speechEndSample,
			pauses: [],
		};
		return this.#segment(speech, this.#cutter.keptEnd(speech));
	}

	/** The only sound of a recording without other segments. */
	#loneSegment(): SegmentEvent[] {
		const found = this.#loneSound?.segment;
		if (!found || this.#segmentsBegun > 0) return [];
		this.#segmentsBegun++;
		const { startSample, speechStartSample } = found;
		const segment = { ...found, index: this.#segmentsBegun };
		return [
			{ is: "begin", index: segment.index, startSample, speechStartSample },
			{ is: "end", segment, why: "finish" },
		];
	}

	/** Inside a segment: counts silent windows; speech resets the count. */
	#continueSpeech(probability: number, speech: Speech): SegmentEvent[] {
		const { offsetProbability, offsetLagWindows, pauseWindows } = this.#rules;
		if (probability >= offsetProbability) {
			const paused = speech.silentWindows >= pauseWindows;
			this.#sentenceBreak.acceptSilence(speech.silentWindows);
			if (paused)
				speech.pauses.push({
					startSample: speech.speechEndSample,
					endSample: this.#cutter.end - windowSamples,
				});
			speech.silentWindows = 0;
			speech.speechEndSample = this.#cutter.end;
			return paused ? [{ is: "resume", index: this.#segmentsBegun }] : [];
		}
		speech.silentWindows++;
		const events: SegmentEvent[] = [];
		if (speech.silentWindows === pauseWindows)
			events.push({ is: "pause", segment: this.#soFar(speech) });
		const silence = speech.silentWindows + offsetLagWindows;
		if (silence >= this.#sentenceBreak.windows) {
			events.push(this.#end(speech, this.#cutter.keptEnd(speech), "silence"));
			this.#phase = { is: "silence" };
		}
		return events;
	}

	/** Limits a start to the end of the last segment, and to the first sample. */
	#after(sample: number): number {
		return Math.max(sample, this.#lastEndSample, 0);
	}

	#cutIfLong(): SegmentEvent[] {
		const phase = this.#phase;
		if (phase.is !== "speech") return [];
		const length = this.#cutter.end - phase.startSample;
		if (length + windowSamples <= this.#rules.segmentSamplesMax) return [];
		return this.#cut(phase, this.#cutter.quietestSample);
	}

	/** Ends the segment at an earlier sample; speech after it begins the next one. Inside a pause, the silence belongs to the speech of neither. */
	#cut(speech: Speech, cutSample: number): SegmentEvent[] {
		const { speechEndSample, silentWindows } = speech;
		const pause = speech.pauses.find(
			(it) => it.startSample <= cutSample && cutSample <= it.endSample,
		);
		speech.speechEndSample = Math.min(
			speechEndSample,
			pause?.startSample ?? cutSample,
		);
		const events = [this.#end(speech, cutSample, "length")];
		this.#phase = { is: "silence" };
		if (speechEndSample <= cutSample) return events;
		const speechStartSample = pause
			? Math.max(cutSample, pause.endSample - this.#rules.leadSamples)
			: cutSample;
		events.push(this.#begin(cutSample, speechStartSample, speechEndSample));
		const next = this.#phase as Phase;
		assert(next.is === "speech");
		next.silentWindows = silentWindows;
		next.pauses.push(
			...speech.pauses.filter((it) => it.startSample > cutSample),
		);
		if (silentWindows >= this.#rules.pauseWindows)
			events.push({ is: "pause", segment: this.#soFar(next) });
		return events;
	}

	#begin(
		startSample: number,
		speechStartSample: number,
		speechEndSample: number,
	): SegmentEvent {
		this.#segmentsBegun++;
		this.#phase = {
			is: "speech",
			startSample,
			speechStartSample,
			silentWindows: 0,
			speechEndSample,
			pauses: [],
		};
		const index = this.#segmentsBegun;
		return { is: "begin", index, startSample, speechStartSample };
	}

	#end(
		speech: Speech,
		endSample: number,
		why: Extract<SegmentEvent, { is: "end" }>["why"],
	): SegmentEvent {
		this.#lastEndSample = endSample;
		this.#lastSpeechEndSample = speech.speechEndSample;
		return { is: "end", segment: this.#segment(speech, endSample), why };
	}

	/** The segment as it will be if the pause ends it. */
	#soFar(speech: Speech): Segment {
		return this.#segment(speech, this.#cutter.keptEnd(speech));
	}

	#segment(speech: Speech, endSample: number): Segment {
		return this.#cutter.segment(this.#segmentsBegun, speech, endSample);
	}

	/** Discards what can't become part of a segment any more. */
	#forget(): void {
		this.#cutter.forgetBefore(
			this.#phase.is === "speech"
				? this.#phase.startSample
				: (this.#onset.possible?.onsetSample ?? this.#cutter.end),
		);
	}
}
