/**
 * Hides speech from a session until a wake word is said; what follows it passes, until a pause. Between voice activity detection, which runs in any
 * case, and the session: while nobody speaks the wake word costs nothing.
 *
 * INVARIANTS
 * - The session sees whole segments, numbered from 1: `begin`, pauses, `end`; none holds audio of the wake word.
 * - A `wake` is followed by a `sleep`, except at the end of the stream.
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { KeywordSpotter } from "../models/keyword-spotter.js";
import type { Segment, SegmentEvent } from "../segmentation/events.js";
import { SampleHistory } from "../segmentation/sample-history.js";
import type { SessionSegmenter } from "./session-segmenter.js";
import { subsegment } from "./subsegment.js";
import type { WakeEvent } from "./wake-events.js";
import { type FoundWakeWord, WakeSpotter } from "./wake-spotter.js";

/** Audio kept: a sound may be found to be speech 4 s after its beginning. */
const historySamples = 6 * sampleRateHz;
/** Speech after a wake word that is more than the end of its last vowel; an echo seems to be up to 0.45 s of speech. */
const speechSamplesMin = 0.3 * sampleRateHz;
/** Less than this in one breath with the wake word may be nothing: what follows after the pause passes too. */
const doubtSamplesMax = 0.6 * sampleRateHz;
/** Of a stream that begins after a wake word: what begins by then may be the end of it. */
const wakeEndSamplesMax = sampleRateHz;

type Phase =
	| { readonly is: "asleep" }
	| {
			readonly is: "awake";
			/** End of the wake word. */
			readonly fromSample: number;
			/** Speech must have begun by then. */
			readonly untilSample: number;
	  }
	/** A segment passes, from this sample on. */
	| {
			readonly is: "passing";
			readonly fromSample: number;
			readonly untilSample: number;
	  };
type Awake = Extract<Phase, { is: "awake" }>;

/** Voice activity and endpoint rules. */
export type WakeableSegmenter = Omit<
	SessionSegmenter,
	"accept" | "finish" | "endSentence"
> & {
	accept(samples: Float32Array): Promise<readonly SegmentEvent[]>;
	finish(): Promise<readonly SegmentEvent[]>;
	endSentence(): readonly SegmentEvent[];
};

export interface WakeGateOptions {
	/** Time after a wake word in which speech must begin. */
	readonly seconds: number;
	/** The wake word was said before the first sample. */
	readonly awake?: boolean;
}

export class WakeGate implements SessionSegmenter {
	readonly #inner: WakeableSegmenter;
	readonly #spotter: WakeSpotter;
	readonly #waitSamples: number;
	readonly #beganAwake: boolean;
	readonly #history = new SampleHistory();
	#phase: Phase;
	/** The open segment's last pause, while it lasts. */
	#pause: Segment | undefined;
	#isOpen = false;
	/** Segments that passed. */
	#passed = 0;

	constructor(
		inner: WakeableSegmenter,
		spotter: KeywordSpotter,
		{ seconds, awake = false }: WakeGateOptions,
	) {
		this.#inner = inner;
		this.#spotter = new WakeSpotter(spotter, this.#history);
		this.#waitSamples = Math.round(seconds * sampleRateHz);
		this.#beganAwake = awake;
		this.#phase = awake
			? { is: "awake", fromSample: 0, untilSample: this.#waitSamples }
			: { is: "asleep" };
	}

	get silentSamples(): number | undefined {
		return this.#phase.is === "passing" ? this.#inner.silentSamples : undefined;
	}

	precompute(samples: Float32Array): Promise<void> {
		return this.#inner.precompute?.(samples) ?? Promise.resolve();
	}

	openSegment(fromSample: number): Segment | undefined {
		const phase = this.#phase;
		if (phase.is !== "passing") return undefined;
		const from = Math.max(fromSample, phase.fromSample);
		const segment = this.#inner.openSegment(from);
		return segment && { ...segment, index: this.#passed };
	}

	async accept(samples: Float32Array): Promise<(SegmentEvent | WakeEvent)[]> {
		this.#history.append(samples);
		const events: (SegmentEvent | WakeEvent)[] = [];
		if (this.#phase.is === "asleep" && this.#spotter.isActive)
			events.push(...this.#wake(await this.#spotter.accept(samples)));
		for (const event of await this.#inner.accept(samples))
			events.push(...(await this.#onSegment(event)));
		events.push(...this.#passOn(), ...this.#sleepIfSilent());
		this.#history.forgetBefore(this.#history.end - historySamples);
		return events;
	}

	async finish(): Promise<(SegmentEvent | WakeEvent)[]> {
		const events: (SegmentEvent | WakeEvent)[] = [];
		for (const event of await this.#inner.finish())
			events.push(...(await this.#onSegment(event)));
		return events;
	}

	endSentence(): (SegmentEvent | WakeEvent)[] {
		const events: (SegmentEvent | WakeEvent)[] = [];
		for (const event of this.#inner.endSentence())
			if (event.is === "end") {
				this.#close();
				events.push(...this.#end(event));
			}
		return events;
	}

	async #onSegment(event: SegmentEvent): Promise<(SegmentEvent | WakeEvent)[]> {
		switch (event.is) {
			case "begin":
				this.#isOpen = true;
				this.#pause = undefined;
				return this.#begin(event.startSample);
			case "pause":
				this.#pause = event.segment;
				return this.#phase.is === "passing"
					? [{ is: "pause", segment: this.#after(event.segment) }]
					: [];
			case "resume":
				this.#pause = undefined;
				return this.#phase.is === "passing"
					? [{ is: "resume", index: this.#passed }]
					: [];
			case "end":
				return this.#onEnd(event);
		}
	}

	async #begin(startSample: number): Promise<(SegmentEvent | WakeEvent)[]> {
		const phase = this.#phase;
		if (phase.is === "awake") return [this.#pass(phase, startSample)];
		if (phase.is === "asleep")
			return this.#wake(await this.#spotter.begin(startSample));
		return [];
	}

	async #onEnd(
		event: Extract<SegmentEvent, { is: "end" }>,
	): Promise<(SegmentEvent | WakeEvent)[]> {
		const events: (SegmentEvent | WakeEvent)[] = [];
		if (this.#phase.is === "asleep" && this.#spotter.isActive)
			events.push(...this.#wake(await this.#spotter.end()));
		const phase = this.#phase;
		// long speech was cut before the wake word: the next segment has it and what follows
		if (phase.is === "passing" && event.segment.endSample <= phase.fromSample) {
			this.#close();
			return events;
		}
		if (phase.is === "awake" && hasSpeechAfter(event.segment, phase.fromSample))
			events.push(this.#pass(phase));
		this.#close();
		return [...events, ...this.#end(event)];
	}

	/** The wake word was found in what was given to the spotter. */
	#wake(found: FoundWakeWord | undefined): WakeEvent[] {
		if (!found || this.#phase.is !== "asleep") return [];
		this.#spotter.stop();
		this.#phase = {
			is: "awake",
			fromSample: found.endSample,
			untilSample: this.#history.end + this.#waitSamples,
		};
		return [found];
	}

	/** In one breath with the wake word: speech that goes on after it. */
	#passOn(): SegmentEvent[] {
		const phase = this.#phase;
		if (phase.is !== "awake" || !this.#isOpen) return [];
		const rest = this.#inner.openSegment(
			Math.max(phase.fromSample, this.#history.end - 1),
		);
		if (!rest || !hasSpeechAfter(rest, phase.fromSample)) return [];
		const events: SegmentEvent[] = [this.#pass(phase)];
		if (this.#pause)
			events.push({ is: "pause", segment: this.#after(this.#pause) });
		return events;
	}

	/** @param startSample of a segment that began after the wake word. */
	#pass({ untilSample, ...awake }: Awake, startSample = 0): SegmentEvent {
		const fromSample = Math.max(startSample, awake.fromSample);
		this.#passed++;
		this.#phase = { is: "passing", fromSample, untilSample };
		return {
			is: "begin",
			index: this.#passed,
			startSample: fromSample,
			speechStartSample: fromSample,
		};
	}

	#sleepIfSilent(): WakeEvent[] {
		const phase = this.#phase;
		if (phase.is !== "awake" || this.#history.end < phase.untilSample)
			return [];
		this.#fallAsleep();
		return [{ is: "sleep" }];
	}

	#end(
		event: Extract<SegmentEvent, { is: "end" }>,
	): (SegmentEvent | WakeEvent)[] {
		const phase = this.#phase;
		if (phase.is !== "passing") {
			if (phase.is === "asleep") this.#fallAsleep();
			return [];
		}
		const ended: SegmentEvent = {
			...event,
			segment: this.#after(event.segment),
		};
		const { startSample, speechEndSample, endSample } = event.segment;
		const awake = { is: "awake", fromSample: endSample } as const;
		if (event.why === "length") {
			// the next segment begins at once
			const untilSample = this.#history.end + this.#waitSamples;
			this.#phase = { ...awake, untilSample };
			return [ended];
		}
		const { fromSample, untilSample } = phase;
		const isInOneBreath =
			startSample < fromSample ||
			(this.#beganAwake && startSample < wakeEndSamplesMax);
		if (isInOneBreath && speechEndSample - fromSample < doubtSamplesMax) {
			this.#phase = { ...awake, untilSample };
			return [ended];
		}
		this.#fallAsleep();
		return [ended, { is: "sleep" }];
	}

	#fallAsleep(): void {
		this.#spotter.stop();
		this.#phase = { is: "asleep" };
	}

	#close(): void {
		this.#isOpen = false;
		this.#pause = undefined;
	}

	/** What passes of a segment. */
	#after(segment: Segment): Segment {
		const phase = this.#phase;
		const from = phase.is === "passing" ? phase.fromSample : 0;
		const { endSample, speechStartSample, speechEndSample } = segment;
		const index = this.#passed;
		if (from <= segment.startSample) return { ...segment, index };
		const speech = {
			startSample: Math.max(from, speechStartSample),
			endSample: speechEndSample,
		};
		return {
			...subsegment(segment, { startSample: from, endSample }, speech),
			index,
		};
	}
}

function hasSpeechAfter({ speechEndSample }: Segment, sample: number): boolean {
	return speechEndSample - sample >= speechSamplesMin;
}
