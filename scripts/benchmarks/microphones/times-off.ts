/**
 * Whether what was recognized is where it was spoken: each text belongs to the sentence in whose time it lies, and a sentence begins and ends when it should.
 */
import type { MicrophoneUtterance } from "../../../runtime/microphones/microphone-events.js";
import type { SpokenClip } from "./hours.js";

/** A clip begins and ends with silence of its own, and a pause in it makes two texts of it. */
const marginMs = 1000;

export interface TimesOff {
	/** Largest distance of a text from its sentence's clip: 0 where all lie in theirs. */
	readonly offMsMax: number;
	/** Sentences without a text. */
	readonly unrecognized: number;
	/** Texts where nothing was spoken. */
	readonly spurious: number;
}

export function timesOff(
	spoken: readonly SpokenClip[],
	finals: readonly MicrophoneUtterance[],
	{ rateHz, startMs }: { readonly rateHz: number; readonly startMs: number },
): TimesOff {
	const clips = spoken.map(({ atSeconds, samples }) => {
		const beginMs = startMs + atSeconds * 1000;
		const endMs = beginMs + (samples.length * 1000) / rateHz;
		return { beginMs, endMs, isRecognized: false };
	});
	let offMsMax = 0;
	let spurious = 0;
	for (const { beginAtMs, endAtMs, text } of finals) {
		if (text === "") continue;
		const clip = clips.find(
			(it) =>
				beginAtMs < it.endMs + marginMs && endAtMs > it.beginMs - marginMs,
		);
		if (!clip) spurious++;
		else {
			clip.isRecognized = true;
			const early = clip.beginMs - beginAtMs;
			const late = endAtMs - clip.endMs;
			offMsMax = Math.max(offMsMax, early, late);
		}
	}
	return {
		offMsMax,
		unrecognized: clips.filter((it) => !it.isRecognized).length,
		spurious,
	};
}
