/**
 * Recognizes a segment of mixed speech: first as a whole, in its main language, while the language of each span is queried; if there are two languages,
 * each run of one language is then recognized separately in that language.
 */
import type { Hypothesis } from "../../models/recognizer.js";
import type { Segment } from "../../segmentation/events.js";
import {
	decidedRuns,
	doubtfulSpans,
	holdsAll,
	isBeyondDoubt,
	type LanguageRun,
	languageRuns,
	likelierReading,
	runSegment,
	withSecondQuery,
} from "../../session/language-runs.js";
import {
	LanguageQueries,
	type LanguageSpan,
} from "../../session/language-spans.js";
import type { Part } from "../../session/parts.js";
import type { LanguagePair } from "../../text/languages.js";
import type { Recognize, SegmentQuery } from "./segment-query.js";

/** @returns one part, or one for each run of one language. */
export async function recognizeMixed(
	segment: Segment,
	pair: LanguagePair,
	recognize: Recognize,
): Promise<readonly Part[]> {
	const languageQueries = new LanguageQueries(segment);
	const wanted = [{ segment, languageSpans: languageQueries.spans }];
	const [whole] = await recognize(wanted, false);
	const { languageLogOdds } = whole as Hypothesis;
	// the recognizer can't identify languages, or the sound is not speech
	if (!languageLogOdds) return [{ segment, hypothesis: whole as Hypothesis }];
	const recognition = new MixedLanguageRecognition(segment, pair, recognize);
	return recognition.run(
		whole as Hypothesis,
		languageQueries.withLogOdds(languageLogOdds),
	);
}

class MixedLanguageRecognition {
	readonly #segment: Segment;
	readonly #pair: LanguagePair;
	readonly #recognizeAgain: (
		wanted: readonly SegmentQuery[],
	) => Promise<readonly Hypothesis[]>;

	constructor(segment: Segment, pair: LanguagePair, recognize: Recognize) {
		this.#segment = segment;
		this.#pair = pair;
		this.#recognizeAgain = (wanted) => recognize(wanted, true);
	}

	async run(
		whole: Hypothesis,
		answered: readonly LanguageSpan[],
	): Promise<readonly Part[]> {
		const segment = this.#segment;
		const spans = await this.#recognizeDoubtful(answered);
		const runs = await this.#decided(languageRuns(spans, this.#pair));
		const [only, ...others] = runs;
		if (only && others.length === 0)
			return [inOneLanguage(segment, await this.#inOne(only, whole))];
		const wanted = runs.map(({ language }, i) => ({
			segment: runSegment(segment, runs, i),
			...(language && { spokenIn: language }),
		}));
		const found = await this.#recognizeAgain(wanted);
		const parts = wanted.map((it, i) =>
			inOneLanguage(it.segment, found[i] as Hypothesis),
		);
		if (!whole.spokenIn || !holdsAll(whole, parts)) return parts;
		const { spokenIn: _, ...inBoth } = whole;
		return [{ segment, hypothesis: inBoth }];
	}

	async #recognizeDoubtful(
		spans: readonly LanguageSpan[],
	): Promise<readonly LanguageSpan[]> {
		const doubtful = doubtfulSpans(spans);
		if (doubtful.length === 0) return spans;
		const answers = await this.#recognizeAgain(
			doubtful.map((it) => ({
				segment: runSegment(this.#segment, spans, spans.indexOf(it)),
				languageOnly: true,
			})),
		);
		return spans.map((it) => {
			const again = answers[doubtful.indexOf(it)]?.languageLogOdds?.[0];
			return again === undefined ? it : withSecondQuery(it, again);
		});
	}

	/** Next to runs whose language is certain, an ambiguous run gets the language in which its text is likelier. */
	async #decided(runs: readonly LanguageRun[]): Promise<LanguageRun[]> {
		const open = runs.filter((it) => it.language === undefined);
		if (runs.length === 1 || open.length === 0) return [...runs];
		const found = await this.#recognizeAgain(
			open.flatMap((it) =>
				this.#inBoth(runSegment(this.#segment, runs, runs.indexOf(it))),
			),
		);
		const readings = open.map((run, i): [LanguageRun, Hypothesis] => {
			const [eastern, english] = found.slice(2 * i, 2 * i + 2);
			const better = likelierReading(
				eastern as Hypothesis,
				english as Hypothesis,
				run.logOdds,
			);
			return [run, better];
		});
		return decidedRuns(runs, new Map(readings));
	}

	/** @param whole recognized in one of the two languages, or not at all (mixed-by-runs.ts). */
	async #inOne(run: LanguageRun, whole: Hypothesis): Promise<Hypothesis> {
		const { language, logOdds } = run;
		const isRight = language
			? language === whole.spokenIn
			: isBeyondDoubt(whole, run, this.#pair);
		if (isRight) return whole;
		const wanted = this.#inBoth(this.#segment).filter(({ spokenIn }) =>
			language ? spokenIn === language : spokenIn !== whole.spokenIn,
		);
		const [other = whole, english] = await this.#recognizeAgain(wanted);
		if (language) return other;
		if (english) return likelierReading(other, english, logOdds);
		const [eastern] = this.#pair;
		return whole.spokenIn === eastern
			? likelierReading(whole, other, logOdds)
			: likelierReading(other, whole, logOdds);
	}

	#inBoth(segment: Segment) {
		return this.#pair.map((spokenIn) => ({ segment, spokenIn }));
	}
}

export function inOneLanguage(segment: Segment, hypothesis: Hypothesis): Part {
	const { spokenIn } = hypothesis;
	return { segment, hypothesis, ...(spokenIn && { spokenIn }) };
}
