/**
 * Mixed speech where no model knows both of its languages: each is recognized by the model of its own. Neither can identify the other's language, so what was
 * spoken is told from how sure each model is of its text; mixed-language-recognition.ts then divides the speech into runs, as it does for a model that knows both.
 */
import type {
	Hypothesis,
	RecognizerAbilities,
	SegmentRequest,
} from "../../models/recognizer.js";
import { likelierReading, logOddOf } from "../../session/language-runs.js";
import type { LanguagePair } from "../../text/languages.js";

/** Recognizes a request in one language, which is its own. */
export type RecognizeInOne = (
	request: SegmentRequest,
) => Promise<Hypothesis | "cancelled">;

interface Readings {
	readonly eastern: Hypothesis;
	readonly english: Hypothesis;
}

/** @returns the likelier reading with its language, and the log odds of the languages of each span that is asked for. */
export async function recognizeInBoth(
	request: SegmentRequest,
	pair: LanguagePair,
	recognize: RecognizeInOne,
): Promise<Hypothesis | "cancelled"> {
	const { samples, spokenIn, languageSpans = [] } = request;
	const plain = inNoLanguage(request);
	if (spokenIn) {
		const found = await recognize({ ...plain, language: spokenIn });
		return found === "cancelled" ? found : { ...found, spokenIn };
	}
	const whole = await readingsOf(plain, pair, recognize);
	if (whole === "cancelled") return whole;
	const languageLogOdds: number[] = [];
	for (const { startSample, endSample } of languageSpans) {
		const part = samples.subarray(startSample, endSample);
		const readings =
			languageSpans.length === 1
				? whole
				: await readingsOf({ ...plain, samples: part }, pair, recognize);
		if (readings === "cancelled") return readings;
		languageLogOdds.push(logOddsOf(readings));
	}
	if (languageSpans.length === 0) languageLogOdds.push(logOddsOf(whole));
	return {
		...likelierReading(whole.eastern, whole.english, 0),
		languageLogOdds,
	};
}

/** What a recognizer of one language does not know, and what holds only for the recognizer that the request was for. */
function inNoLanguage({
	spokenIn: _spoken,
	presumedIn: _presumed,
	languageSpans: _spans,
	languageOnly: _only,
	prefixTokens: _prefix,
	segmentKey: _key,
	...request
}: SegmentRequest): SegmentRequest {
	return request;
}

async function readingsOf(
	request: SegmentRequest,
	[first, second]: LanguagePair,
	recognize: RecognizeInOne,
): Promise<Readings | "cancelled"> {
	const eastern = await recognize({ ...request, language: first });
	if (eastern === "cancelled") return eastern;
	const english = await recognize({ ...request, language: second });
	if (english === "cancelled") return english;
	return {
		eastern: { ...eastern, spokenIn: first },
		english: { ...english, spokenIn: second },
	};
}

/** A text that a guard refused, or none, says nothing for its language. */
function logOddsOf({ eastern, english }: Readings): number {
	const odds = (it: Hypothesis) => logOddOf(it.text === "" ? 0 : it.confidence);
	return odds(eastern) - odds(english);
}

/** What both can do. */
export function commonAbilities(
	eastern: RecognizerAbilities,
	english: RecognizerAbilities,
	pair: LanguagePair,
): RecognizerAbilities {
	const [one, other] = [eastern.capabilities, english.capabilities];
	const both = (key: "hotwords" | "wordTimes" | "punctuation") =>
		one[key] && other[key];
	return {
		name: `${eastern.name} and ${english.name}`,
		languages: pair,
		capabilities: {
			search: "each language by its own model",
			hotwords: both("hotwords"),
			wordTimes: both("wordTimes"),
			punctuation: both("punctuation"),
			streaming: false,
			guards: [...new Set([...one.guards, ...other.guards])],
		},
	};
}
