/**
 * A request for one text whose audio was divided at pauses. Where its text is doubtful, the pauses are doubtful too: voice activity detection misses parts of distant
 * speech, and a recognizer makes more errors in the pieces. Such a request is recognized once more as a whole, and the text with the higher confidence is used.
 *
 * Measured: of 106 distant and telephone clips one is divided and doubtful; its errors fall from 33 to 19 of 49 characters (docs/benchmarks/lost-speech.md).
 */
import { sampleRateHz } from "../audio/sample-rate.js";
import type { Hypothesis } from "../models/recognizer.js";
import type { Segment } from "../segmentation/events.js";
import { SampleHistory } from "../segmentation/sample-history.js";
import type { DecodedSegment } from "./decode-plan.js";
import { meanConfidence } from "./transcript.js";

/** The longest segment that a recognizer accepts. */
const samplesMax = 28 * sampleRateHz;
/** Below it, texts are mostly wrong: about the mean log-probability of -1 at which Whisper decodes again. */
const doubtfulConfidence = 0.3;
/** A whole text that is shorter than this share of the pieces' texts leaves out speech. */
const lengthShareMin = 0.75;

export class DividedRequest {
	/** All samples so far; undefined once there are too many to be recognized together. */
	#history: SampleHistory | undefined = new SampleHistory();
	readonly #pieces: DecodedSegment[] = [];
	#whole: Segment | undefined;

	/** Number of samples kept, for tests of the limit. */
	get samplesHeld(): number {
		return this.#pieces.reduce(
			(sum, { segment }) => sum + segment.samples.length,
			this.#history?.length ?? 0,
		);
	}

	/** @param samples the next ones; copied. */
	accept(samples: Float32Array): void {
		const history = this.#history;
		if (!history) return;
		if (history.end + samples.length > samplesMax) this.#giveUp();
		else history.append(samples);
	}

	/** A piece holds its samples: it is kept only while the whole may be recognized. */
	add(piece: DecodedSegment): void {
		if (this.#history) this.#pieces.push(piece);
	}

	/** What to recognize once more, at the end; undefined if the text is not doubtful, and the second time. */
	takeWhole(): Segment | undefined {
		const history = this.#history;
		if (!history || this.#whole || !this.#isDoubtful) return undefined;
		this.#whole = joinedSegment(
			this.#pieces.map((it) => it.segment),
			history,
		);
		return this.#whole;
	}

	isWhole(segment: Segment): boolean {
		return segment === this.#whole;
	}

	/** Whether the text of the whole is to be used instead of those of the pieces. */
	isBetter({ text, confidence }: Hypothesis): boolean {
		const texts = this.#texts;
		const length = texts.reduce((sum, it) => sum + it.text.length, 0);
		return (
			confidence > meanConfidence(texts) &&
			text.length >= lengthShareMin * length
		);
	}

	#giveUp(): void {
		this.#history = undefined;
		this.#pieces.length = 0;
	}

	/** Without any text nothing is recognized again: it may all be noise. */
	get #isDoubtful(): boolean {
		const confidence = meanConfidence(this.#texts);
		return (
			this.#pieces.length > 1 &&
			this.#texts.some((it) => it.text !== "") &&
			confidence < doubtfulConfidence
		);
	}

	get #texts(): readonly Hypothesis[] {
		return this.#pieces.map((it) => it.hypothesis);
	}
}

/** @param pieces in order, at least one. */
function joinedSegment(
	pieces: readonly Segment[],
	history: SampleHistory,
): Segment {
	const first = pieces[0] as Segment;
	const last = pieces.at(-1) as Segment;
	const between = pieces.slice(1).map((piece, i) => ({
		startSample: (pieces[i] as Segment).speechEndSample,
		endSample: piece.speechStartSample,
	}));
	const pauses = [...pieces.flatMap((it) => it.pauses), ...between];
	return {
		...first,
		endSample: last.endSample,
		speechEndSample: last.speechEndSample,
		pauses: pauses.sort((a, b) => a.startSample - b.startSample),
		voiced: pieces.flatMap((it) => it.voiced),
		samples: history.copy(first.startSample, last.endSample),
	};
}
