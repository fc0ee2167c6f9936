/**
 * Who speaks from which place of the audio on, as the client says (`SpeakerStart`, transcriber only): results come later than the audio that they are of, and a
 * client may send faster than it is spoken. Pure.
 */

import { samplesToMs } from "../../audio/sample-rate.js";
import { onsetLeadSamples } from "../../segmentation/rules.js";
import { tailSamples } from "../../session/utterance.js";

export interface NamedSpeaker {
	/** In the audio. */
	readonly fromMs: number;
	readonly speakerId: string;
}

/** In the order of the audio, no two from the same place. */
export type SpeakerTurns = readonly NamedSpeaker[];

/** Of a client that names speakers and never lets a sentence end. */
const turnsMax = 100;
/** A sentence begins a lead before its first sound. That is found to a window of 32 ms, so whoever is named up to 50 ms after it still speaks there. */
const leadMs = samplesToMs(onsetLeadSamples) + 50;
/** A sentence ends a tail after its speech: whoever is named there speaks after it. */
const tailMs = samplesToMs(tailSamples);

export function withTurn(
	turns: SpeakerTurns,
	turn: NamedSpeaker,
): SpeakerTurns {
	const before = turns.filter((it) => it.fromMs < turn.fromMs);
	return [...before, turn].slice(-turnsMax);
}

/** @returns null: nobody was named. */
export function speakerAtBegin(
	turns: SpeakerTurns,
	beginMs: number,
): string | null {
	return speakerAt(turns, beginMs + leadMs);
}

/** The last one who spoke in a sentence. @param endMs of what was recognized of it. */
export function speakerAtEnd(
	turns: SpeakerTurns,
	endMs: number,
): string | null {
	return speakerAt(turns, Math.max(0, endMs - tailMs));
}

/** Without those that no later sentence can be of. @param endMs of a sentence with its final text. */
export function turnsFrom(turns: SpeakerTurns, endMs: number): SpeakerTurns {
	const first = turns.findLastIndex((it) => it.fromMs <= endMs);
	return first > 0 ? turns.slice(first) : turns;
}

function speakerAt(turns: SpeakerTurns, ms: number): string | null {
	return turns.findLast((it) => it.fromMs <= ms)?.speakerId ?? null;
}
