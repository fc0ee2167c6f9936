/**
 * The speakers in each 10 s of a recording, from a network that processes each span separately: its speakers 1, 2 and 3 differ between spans. Two spans cover
 * each moment; the one whose middle is nearer is more reliable.
 */
import type { SpanSpeakers } from "../models/speech-segmentation/detector.js";

export const windowMs = 32;

export class LocalSpans {
	/** Ordered by their beginnings. */
	readonly #spans: SpanSpeakers[] = [];

	add(span: SpanSpeakers): void {
		this.#spans.push(span);
	}

	/** @returns indices of the spans that cover a window. */
	covering(window: number): number[] {
		const step = this.#spans[1]?.firstWindow ?? 1;
		const latest = Math.min(this.#spans.length, Math.floor(window / step) + 2);
		const places: number[] = [];
		for (let place = Math.max(0, latest - 4); place < latest; place++)
			if (this.#covers(place, window)) places.push(place);
		return places;
	}

	/** @returns the index of the span whose middle is nearest to the window; undefined where none covers it. */
	best(window: number): number | undefined {
		const offCentre = (place: number) => {
			const { firstWindow, speaking } = this.#span(place);
			return Math.abs(window + 0.5 - firstWindow - speaking.length / 2);
		};
		return this.covering(window).sort((a, b) => offCentre(a) - offCentre(b))[0];
	}

	/** @returns the span's speakers in a window that it covers: none, one or two, each 0 to 2. */
	speakersIn(place: number, window: number): readonly number[] {
		const { firstWindow, speaking } = this.#span(place);
		return speakersOf[speaking[window - firstWindow] ?? 0] as readonly number[];
	}

	#covers(place: number, window: number): boolean {
		const { firstWindow, speaking } = this.#span(place);
		return window >= firstWindow && window < firstWindow + speaking.length;
	}

	#span(place: number): SpanSpeakers {
		return this.#spans[place] as SpanSpeakers;
	}
}

/** Speakers by the network's class. */
const speakersOf: readonly (readonly number[])[] = [
	[],
	[0],
	[1],
	[2],
	[0, 1],
	[0, 2],
	[1, 2],
];
