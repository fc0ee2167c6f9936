/**
 * Who speaks in each 10 s of a recording, as a network heard it that knows nothing of the rest: its voices 1, 2 and 3 are others in each look. Two looks see
 * each moment; the one in whose middle it lies knows most of it.
 */
import type { SpokenLook } from "../models/speech-segmentation/detector.js";

export const windowMs = 32;

export class LocalLooks {
	/** By their beginnings. */
	readonly #looks: SpokenLook[] = [];

	add(look: SpokenLook): void {
		this.#looks.push(look);
	}

	/** @returns places of the looks that saw a window. */
	seeing(window: number): number[] {
		const step = this.#looks[1]?.firstWindow ?? 1;
		const latest = Math.min(this.#looks.length, Math.floor(window / step) + 2);
		const places: number[] = [];
		for (let place = Math.max(0, latest - 4); place < latest; place++)
			if (this.#sees(place, window)) places.push(place);
		return places;
	}

	/** @returns the place of the look that knows most of a window; undefined where none saw it. */
	best(window: number): number | undefined {
		const offCentre = (place: number) => {
			const { firstWindow, speaking } = this.#look(place);
			return Math.abs(window + 0.5 - firstWindow - speaking.length / 2);
		};
		return this.seeing(window).sort((a, b) => offCentre(a) - offCentre(b))[0];
	}

	/** @returns the look's voices that speak in a window it saw: none, one or two, each 0 to 2. */
	voicesIn(place: number, window: number): readonly number[] {
		const { firstWindow, speaking } = this.#look(place);
		return voicesOf[speaking[window - firstWindow] ?? 0] as readonly number[];
	}

	#sees(place: number, window: number): boolean {
		const { firstWindow, speaking } = this.#look(place);
		return window >= firstWindow && window < firstWindow + speaking.length;
	}

	#look(place: number): SpokenLook {
		return this.#looks[place] as SpokenLook;
	}
}

/** Of the network's classes. */
const voicesOf: readonly (readonly number[])[] = [
	[],
	[0],
	[1],
	[2],
	[0, 1],
	[0, 2],
	[1, 2],
];
