/**
 * How much silence ends a sentence. Fixed, or adapted to the speaker's pauses (`enable_dynamic_break`): three times the median of the last nine
 * silences that speech followed, never less than half and never more than one and a half of the requested one (`max_sentence_silence`). A fluent
 * speaker gets results sooner, and a speaker who pauses between words is not interrupted.
 *
 * A silence counts if it lasts at least 96 ms (shorter ones are stop consonants) and at most one and a half of the requested one, even if it
 * ended a sentence: a break that came too early counts too. Before there are three silences, the requested one applies. Pure: counts windows.
 */
import type { EndpointRules } from "./rules.js";

const silencesMin = 3;
const silencesMax = 9;
const countedWindowsMin = 3;
const timesMedian = 3;

type BreakRules = Pick<
	EndpointRules,
	"silenceWindows" | "silenceWindowsMin" | "silenceWindowsMax"
>;

export class SentenceBreak {
	readonly #rules: BreakRules;
	/** The newest last. */
	#silences: number[] = [];
	#windows: number;

	constructor(rules: BreakRules) {
		this.#rules = rules;
		this.#windows = rules.silenceWindows;
	}

	/** Number of silent windows that currently end a sentence. */
	get windows(): number {
		return this.#windows;
	}

	/** Records that speech continued after this many silent windows. */
	acceptSilence(silentWindows: number): void {
		const { silenceWindowsMin, silenceWindowsMax } = this.#rules;
		if (silenceWindowsMin === silenceWindowsMax) return;
		if (silentWindows < countedWindowsMin || silentWindows > silenceWindowsMax)
			return;
		this.#silences = [...this.#silences, silentWindows].slice(-silencesMax);
		if (this.#silences.length < silencesMin) return;
		const sorted = this.#silences.toSorted((a, b) => a - b);
		const median = sorted[Math.floor(sorted.length / 2)] as number;
		this.#windows = Math.min(
			silenceWindowsMax,
			Math.max(silenceWindowsMin, Math.round(timesMedian * median)),
		);
	}
}
