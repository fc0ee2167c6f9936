/**
 * Identifies the language of a long file before it becomes a task, which needs one: by its first speech, however late that comes. Nobody knows here how sure the
 * recognizer is of a language; a greeting may be taken for another one, so speech of some length has to agree.
 */
import type { Lane } from "../../session/lane-port.js";
import {
	defaultSwitches,
	sentenceSilenceMsDefault,
} from "../../session/options.js";
import type { Language } from "../../text/languages.js";
import type { KeptFile } from "../kept-file.js";
import { type Completed, pipeToRecognition } from "../pipe-to-recognition.js";
import type { Caller } from "./short-recognition.js";
import type { TranscriptionRequest } from "./transcription-request.js";

/** Of audio. Silence costs little; it holds a slot while it is searched. */
const searchedSecondsMax = 600;
/** Speech in one language after which it counts: a recognizer is sure by then. */
const agreedMsMin = 2_500;
/** Speech, and what was taken for it, after which the likeliest language counts, or none. */
const speechMsMax = 30_000;

/** @returns undefined where the language is given, or not identified. @throws CodedError; the signal's reason */
export async function identifiedLanguage(
	file: KeptFile,
	{
		languages: { language, languageChoices, translatedFrom },
	}: Pick<TranscriptionRequest, "languages">,
	lane: Lane,
	{ sharer, signal }: Caller,
): Promise<Language | undefined> {
	if (!languageChoices) return undefined;
	const recognition = await lane.open(
		{
			...defaultSwitches,
			language: translatedFrom ?? language,
			languageChoices,
			format: "auto",
			sampleRateHz: 16_000,
			gain: 1,
			maxSentenceSilenceMs: sentenceSilenceMsDefault,
			partials: false,
			durationSecondsMax: searchedSecondsMax,
			completeAtDuration: true,
			oneText: true,
		},
		sharer,
		signal,
	);
	const spoken = new SpokenLanguage();
	const enough = new AbortController();
	const body = { read: () => file.pieces() };
	let completed: Completed | undefined;
	try {
		completed = await pipeToRecognition(
			body,
			recognition,
			AbortSignal.any([signal, enough.signal]),
			(event) => {
				if (event.is !== "final") return;
				const { text, beginMs, endMs } = event.utterance;
				spoken.add(text === "" ? undefined : event.language, endMs - beginMs);
				if (spoken.isEnough) enough.abort();
			},
		);
	} catch (thrown) {
		if (signal.aborted || !enough.signal.aborted) throw thrown;
	}
	return completed?.language ?? spoken.language;
}

/** What the finals so far were spoken in. */
class SpokenLanguage {
	language: Language | undefined;
	#agreedMs = 0;
	#speechMs = 0;

	/** @param language undefined where it was not identified */
	add(language: Language | undefined, ms: number): void {
		this.#speechMs += ms;
		if (language === undefined) return;
		this.#agreedMs = language === this.language ? this.#agreedMs + ms : ms;
		this.language = language;
	}

	get isEnough(): boolean {
		return this.#agreedMs >= agreedMsMin || this.#speechMs >= speechMsMax;
	}
}
