/**
 * Whether what was heard is where it was said: each text belongs to the sentence in whose time it lies, and a sentence begins and ends when it should.
 */
import type { MicrophoneUtterance } from "../../../runtime/microphones/microphone-events.js";
import type { Said } from "./hours.js";

/** A clip begins and ends with silence of its own, and a pause in it makes two texts of it. */
const marginMs = 1000;

export interface TimesOff {
	/** Largest distance of a text from its sentence's clip: 0 where all lie in theirs. */
	readonly offMsMax: number;
	/** Sentences without a text. */
	readonly unheard: number;
	/** Texts where nothing was said. */
	readonly unsaid: number;
}

export function timesOff(
	said: readonly Said[],
	finals: readonly MicrophoneUtterance[],
	{ rateHz, startMs }: { readonly rateHz: number; readonly startMs: number },
): TimesOff {
	const clips = said.map(({ atSeconds, samples }) => {
		const beginMs = startMs + atSeconds * 1000;
		const endMs = beginMs + (samples.length * 1000) / rateHz;
		return { beginMs, endMs, heard: false };
	});
	let offMsMax = 0;
	let unsaid = 0;
	for (const { beginAtMs, endAtMs, text } of finals) {
		if (text === "") continue;
		const clip = clips.find(
			(it) =>
				beginAtMs < it.endMs + marginMs && endAtMs > it.beginMs - marginMs,
		);
		if (!clip) unsaid++;
		else {
			clip.heard = true;
			const early = clip.beginMs - beginAtMs;
			const late = endAtMs - clip.endMs;
			offMsMax = Math.max(offMsMax, early, late);
		}
	}
	return { offMsMax, unheard: clips.filter((it) => !it.heard).length, unsaid };
}
