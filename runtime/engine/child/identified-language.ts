/**
 * The language of a recognition that named several: identified by its first speech, before anything is decoded. Where that is too little to be sure (a greeting), it
 * counts for its own text only, and the speech after it is judged anew.
 */
import { sampleRateHz } from "../../audio/sample-rate.js";
import type {
	LikeliestLanguage,
	SpeechRecognizer,
} from "../../models/recognizer.js";
import type { Decode } from "../../session/decode-plan.js";
import { type Language, pairOf } from "../../text/languages.js";

/** Speech that has not ended is not judged by less: a wrong language would be shown. */
const openSamplesMin = 1.2 * sampleRateHz;
/** From here on the likeliest language counts, however sure: somebody waits for text, and more speech changed nothing. */
const doubtSamplesMax = 2.5 * sampleRateHz;

/** @returns undefined where it is not speech, so that the next segment decides; too-early: with more of this segment it will be known. */
export async function identifyLanguage(
	recognizer: SpeechRecognizer,
	choices: readonly Language[],
	{ urgency, segment }: Pick<Decode, "urgency" | "segment">,
): Promise<LikeliestLanguage | "too-early" | undefined> {
	const { samples } = segment;
	const open = urgency === "partial";
	if (open && samples.length < openSamplesMin) return "too-early";
	// mixed speech is recognized by its eastern language
	const spoken = choices.map((choice) => pairOf(choice)?.[0] ?? choice);
	const found = await recognizer.identifyLanguage?.(samples, spoken, {
		open,
	});
	const language = found && choices[spoken.indexOf(found.language)];
	if (!language) return undefined;
	const isSure = found.isSure || samples.length >= doubtSamplesMax;
	return open && !isSure ? "too-early" : { language, isSure };
}
