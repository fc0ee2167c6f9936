/**
 * Mixed speech where no model knows both of its languages: each is recognized by the model of its own. Neither can identify the other's language, so what was
 * spoken is told from how sure each model is of its text; mixed-language-recognition.ts then divides the speech into runs, as it does for a model that knows both.
 */
import {
	emptyHypothesis,
	type Hypothesis,
	type RecognizerAbilities,
	type SegmentRequest,
} from "../../models/recognizer.js";
import type { SampleRange } from "../../segmentation/events.js";
import { likelierReading, logOddOf } from "../../session/language-runs.js";
import { isSure, samplesIn } from "../../session/language-spans.js";
import type { Language, LanguagePair } from "../../text/languages.js";

/** Recognizes a request in one language, which is its own. */
export type RecognizeInOne = (
	request: SegmentRequest,
) => Promise<Hypothesis | "cancelled">;

interface Readings {
	readonly eastern: Hypothesis;
	readonly english: Hypothesis;
}

/**
 * @returns a reading of the whole with its language, and the log odds of the languages of each span that is asked for. Where spans are surely in both languages
 * the text is empty, without a language: each run is then recognized by itself.
 */
export async function recognizeInBoth(
	request: SegmentRequest,
	pair: LanguagePair,
	recognize: RecognizeInOne,
): Promise<Hypothesis | "cancelled"> {
	const { samples, spokenIn, languageSpans = [] } = request;
	const plain = inNoLanguage(request);
	if (spokenIn) return recognizeIn(spokenIn, plain, recognize);
	const spans =
		languageSpans.length > 0
			? languageSpans
			: [{ startSample: 0, endSample: samples.length }];
	const whole = spans.some((it) => isAlmostAll(it, samples))
		? await readingsOf(plain, pair, recognize)
		: undefined;
	if (whole === "cancelled") return whole;
	const oddsIn = (span: SampleRange) =>
		whole && isAlmostAll(span, samples)
			? logOddsOf(whole)
			: oddsOf(partOf(plain, span), pair, recognize);
	const found: SpanOdds[] = [];
	for (const span of spans) {
		const logOdds = knownOdds(span, found) ?? (await oddsIn(span));
		if (logOdds === "cancelled") return logOdds;
		found.push({ ...span, logOdds });
	}
	const text = whole
		? likelierReading(whole.eastern, whole.english, 0)
		: await readingOf(plain, found, pair, recognize);
	if (text === "cancelled") return text;
	return { ...text, languageLogOdds: found.map(({ logOdds }) => logOdds) };
}

/** In the language of its spans; in the likelier one where none is sure. */
async function readingOf(
	request: SegmentRequest,
	spans: readonly SpanOdds[],
	pair: LanguagePair,
	recognize: RecognizeInOne,
): Promise<Hypothesis | "cancelled"> {
	const sure = spans.filter(isSure);
	const isEastern = sure.some(({ logOdds }) => logOdds > 0);
	const isEnglish = sure.some(({ logOdds }) => logOdds < 0);
	if (isEastern && isEnglish) return emptyHypothesis();
	const [eastern, english] = pair;
	if (isEastern || isEnglish)
		return recognizeIn(isEastern ? eastern : english, request, recognize);
	const readings = await readingsOf(request, pair, recognize);
	if (readings === "cancelled") return readings;
	return likelierReading(readings.eastern, readings.english, 0);
}

async function recognizeIn(
	spokenIn: Language,
	request: SegmentRequest,
	recognize: RecognizeInOne,
): Promise<Hypothesis | "cancelled"> {
	const found = await recognize({ ...request, language: spokenIn });
	return found === "cancelled" ? found : { ...found, spokenIn };
}

interface SpanOdds extends SampleRange {
	readonly logOdds: number;
}

/** A span that is so much of the speech need not be read beside it. */
const wholeShare = 0.8;

function isAlmostAll(span: SampleRange, samples: Float32Array): boolean {
	return samplesIn(span) >= wholeShare * samples.length;
}

/**
 * Windows within a span follow it: where it is surely in one language, they are. @param before spans in their order.
 * @returns undefined where the span has to be read
 */
function knownOdds(
	span: SampleRange,
	before: readonly SpanOdds[],
): number | undefined {
	const around = before.find(
		(it) =>
			it.startSample <= span.startSample && it.endSample >= span.endSample,
	);
	return around && isSure(around) ? around.logOdds : undefined;
}

/** Voice activity is known of the whole only. */
function partOf(
	{ voiceActivity: _whole, ...request }: SegmentRequest,
	{ startSample, endSample }: SampleRange,
): SegmentRequest {
	const samples = request.samples.subarray(startSample, endSample);
	return { ...request, samples };
}

async function oddsOf(
	request: SegmentRequest,
	pair: LanguagePair,
	recognize: RecognizeInOne,
): Promise<number | "cancelled"> {
	const readings = await readingsOf(request, pair, recognize);
	return readings === "cancelled" ? readings : logOddsOf(readings);
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
	const eastern = await recognizeIn(first, request, recognize);
	if (eastern === "cancelled") return eastern;
	const english = await recognizeIn(second, request, recognize);
	return english === "cancelled" ? english : { eastern, english };
}

/** A text that a guard refused, or none, says nothing for its language. */
function logOddsOf({ eastern, english }: Readings): number {
	const odds = (it: Hypothesis) => logOddOf(it.text === "" ? 0 : it.confidence);
	return odds(eastern) - odds(english);
}

/** What both can do. @param mixed the language that they serve together */
export function commonAbilities(
	eastern: RecognizerAbilities,
	english: RecognizerAbilities,
	mixed: Language,
): RecognizerAbilities {
	const [one, other] = [eastern.capabilities, english.capabilities];
	const both = (key: "hotwords" | "wordTimes" | "punctuation") =>
		one[key] && other[key];
	return {
		name: `${eastern.name} and ${english.name}`,
		languages: [mixed],
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
