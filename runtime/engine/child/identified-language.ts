/** The language of a recognition that named several: identified once, by its first speech, before anything is decoded. */
import { sampleRateHz } from "../../audio/sample-rate.js";
import type { SpeechRecognizer } from "../../models/recognizer.js";
import type { Decode } from "../../session/decode-plan.js";
import { type Language, pairOf } from "../../text/languages.js";

/** Speech that has not ended is not judged by less: a wrong language would be shown. */
const openSamplesMin = 1.2 * sampleRateHz;

/** @returns undefined where it is not speech, so that the next segment decides. */
export async function identifyLanguage(
	recognizer: SpeechRecognizer,
	choices: readonly Language[],
	{ urgency, segment }: Pick<Decode, "urgency" | "segment">,
): Promise<Language | "too-short" | undefined> {
	const { samples } = segment;
	if (urgency === "partial" && samples.length < openSamplesMin)
		return "too-short";
	// mixed speech is recognized by its eastern language
	const spoken = choices.map((choice) => pairOf(choice)?.[0] ?? choice);
	const found = await recognizer.identifyLanguage?.(samples, spoken);
	return found && choices[spoken.indexOf(found)];
}
