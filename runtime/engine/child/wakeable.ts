/** Recognitions that wait for a wake word: the gate in front of a session's segmenter. */
import { CodedError } from "../../errors.js";
import type { KeywordSpotter } from "../../models/keyword-spotter.js";
import { ModelFault } from "../../models/model-fault.js";
import type { SecondEar } from "../../models/syllable-recognizer.js";
import type { WakeOptions } from "../../session/options.js";
import type { SessionSegmenter } from "../../session/session-segmenter.js";
import { type WakeableSegmenter, WakeGate } from "../../session/wake-gate.js";
import { spokenSyllables } from "../../text/zh/pinyin.js";
import type { WakeWord } from "../../words/wake-word.js";

/** @returns the segmenter itself without wake words. @throws CodedError 200002 */
export function wakeable(
	segmenter: WakeableSegmenter,
	wake: WakeOptions | undefined,
	secondEar: SecondEar | undefined,
): SessionSegmenter {
	if (!wake) return segmenter;
	if (!secondEar)
		throw new CodedError(
			"200002",
			"wake words need a second ear and a model of Chinese: `earshot models add zipformer-zh-ear`, and set model.second_ear (docs/microphones.md)",
		);
	return new WakeGate(segmenter, spotterOf(wake.words, secondEar), wake);
}

function spotterOf(
	words: readonly WakeWord[],
	secondEar: SecondEar,
): KeywordSpotter {
	const phrases = words.map(({ phrase, threshold }) => {
		const syllables = spokenSyllables(phrase);
		if (!syllables)
			throw new CodedError(
				"200002",
				`wake word ${JSON.stringify(phrase)} can't be used: a character in it has no known reading`,
			);
		return {
			phrase,
			threshold,
			syllables: syllables.map(({ syllable: base, tone }) => ({ base, tone })),
		};
	});
	try {
		return secondEar.spotterOf(phrases);
	} catch (error) {
		if (!(error instanceof ModelFault)) throw error;
		throw new CodedError("200002", error.message);
	}
}
