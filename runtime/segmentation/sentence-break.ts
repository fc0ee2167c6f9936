/**
 * How much silence ends a sentence. Fixed, or following the speaker's own pauses (`enable_dynamic_break`): three times the median of the last nine
 * silences that speech followed, never less than half and never more than one and a half of what was asked for (`max_sentence_silence`). Somebody
 * who speaks without a stop is answered sooner, somebody who thinks between words is not cut off.
 *
 * A silence counts when it lasts at least 96 ms (shorter ones are stop consonants) and at most one and a half of what was asked for, also where it
 * ended a sentence: a break that came too early teaches as well. Until three were heard the silence is the one asked for. Pure: counts windows.
 */
import type { EndpointRules } from "./rules.js";

const heardMin = 3;
const heardMax = 9;
const countedWindowsMin = 3;
const timesMedian = 3;

type BreakRules = Pick<
	EndpointRules,
	"silenceWindows" | "silenceWindowsMin" | "silenceWindowsMax"
>;

export class SentenceBreak {
	readonly #rules: BreakRules;
	/** The newest last. */
	#heard: number[] = [];
	#windows: number;

	constructor(rules: BreakRules) {
		this.#rules = rules;
		this.#windows = rules.silenceWindows;
	}

	/** Silent windows that end a sentence now. */
	get windows(): number {
		return this.#windows;
	}

	/** Speech went on after so many silent windows. */
	hear(silentWindows: number): void {
		const { silenceWindowsMin, silenceWindowsMax } = this.#rules;
		if (silenceWindowsMin === silenceWindowsMax) return;
		if (silentWindows < countedWindowsMin || silentWindows > silenceWindowsMax)
			return;
		this.#heard = [...this.#heard, silentWindows].slice(-heardMax);
		if (this.#heard.length < heardMin) return;
		const sorted = this.#heard.toSorted((a, b) => a - b);
		const median = sorted[Math.floor(sorted.length / 2)] as number;
		this.#windows = Math.min(
			silenceWindowsMax,
			Math.max(silenceWindowsMin, Math.round(timesMedian * median)),
		);
	}
}
