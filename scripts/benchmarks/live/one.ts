/**
 * One speaker at a time: how soon text is there, how restless it is, how soon it is final, and whether it is as right as the HTTP endpoint's.
 */
import type { Clip } from "../clips.js";
import { languages } from "../clips.js";
import { judged, type Measurement } from "../report.js";
import { errorPercent } from "../scoring.js";
import { median, percentile } from "../statistics.js";
import { type Endpoint, speakAndStop, speakAndWait } from "./earshot-stream.js";
import { errorsOf, type Speech } from "./speech.js";
import {
	addRestlessness,
	cadencesMs,
	firstPartialMs,
	lettersOnly,
	restlessness,
	type Timeline,
	withoutEcho,
} from "./timeline.js";

/** `max_sentence_silence` as it is by default: speech has ended when so much silence has passed. */
const hangoverMs = 800;

interface Run {
	readonly speech: Speech;
	readonly timeline: Timeline;
}

export async function measureOne(
	endpoint: Endpoint,
	speeches: readonly Speech[],
	texts: boolean,
): Promise<readonly Measurement[]> {
	const stopped: Run[] = [];
	const waited: Run[] = [];
	for (const speech of speeches) {
		const { samples, language } = speech;
		const timeline = await speakAndStop(endpoint, samples, language);
		stopped.push({ speech, timeline });
		const waiting = await speakAndWait(endpoint, samples, language);
		waited.push({ speech, timeline: waiting });
		if (texts) printTexts(speech, timeline);
		if (texts)
			console.log(
				`    first ${firstPartialMs(timeline, speech.bounds)?.toFixed(0)}, after stop ${afterStopMs(timeline).toFixed(0)}, after speech ${(waiting.final.atMs - speech.bounds.endMs).toFixed(0)} ms; speech ends ${(samples.length / 16 - speech.bounds.endMs).toFixed(0)} ms before the end`,
			);
	}
	return [
		firstPartials(stopped),
		stability(stopped),
		afterStop(stopped),
		afterSpeech(waited),
		...accuracy(stopped),
	];
}

export function afterStopMs({ final, stoppedAtMs = 0 }: Timeline): number {
	return final.atMs - stoppedAtMs;
}

export function printTexts(clip: Clip, timeline: Timeline): void {
	console.log(`\n${clip.name}`);
	for (const { atMs, text } of timeline.partials)
		console.log(`${atMs.toFixed(0).padStart(7)} ms   ${text}`);
	const { atMs, text } = timeline.final;
	console.log(`${atMs.toFixed(0).padStart(7)} ms = ${text}`);
}

function firstPartials(runs: readonly Run[]): Measurement {
	const delays = runs.flatMap(
		({ timeline, speech }) => firstPartialMs(timeline, speech.bounds) ?? [],
	);
	const cadences = runs.flatMap(({ timeline, speech }) =>
		cadencesMs(timeline, speech.bounds),
	);
	const half = delays.length > 0 ? median(delays) : Number.NaN;
	const p95 = delays.length > 0 ? percentile(delays, 0.95) : Number.NaN;
	const every = cadences.length > 0 ? median(cadences) : Number.NaN;
	return {
		what: `live: first partial after speech begins, p50 / p95; then one every (${delays.length} of ${runs.length} clips of 3-10 s)`,
		earshot: `${ms(half)} / ${ms(p95)}; ${ms(every)}`,
		goal: judged("p50 <= 600 ms, p95 <= 1000 ms", half <= 600 && p95 <= 1000),
	};
}

function stability(runs: readonly Run[]): Measurement {
	const timelines = runs.map(({ timeline }) => withoutEcho(timeline));
	const strict = sharesOf(timelines);
	const letters = sharesOf(timelines.map(lettersOnly));
	const whole = sharesOf(timelines, true);
	const wholeLetters = sharesOf(timelines.map(lettersOnly), true);
	console.log(
		`with the final text as a message: ${whole.shown}; letters and digits only: ${wholeLetters.shown}`,
	);
	return {
		what: `live: partials that take back something shown / characters taken back (${strict.messages} partials); letters and digits only`,
		earshot: `${strict.shown}; ${letters.shown}`,
		goal: judged(
			"<= 10 % / <= 3 %",
			strict.takingBack <= 10 && strict.characters <= 3,
		),
	};
}

function sharesOf(timelines: readonly Timeline[], withFinal = false) {
	const all = addRestlessness(
		timelines.map((it) => restlessness(it, withFinal)),
	);
	const takingBack = share(all.takingBack, all.messages);
	const characters = share(all.charactersTakenBack, all.charactersShown);
	const shown = `${takingBack.toFixed(1)} % / ${characters.toFixed(1)} %`;
	return { messages: all.messages, takingBack, characters, shown };
}

function afterStop(runs: readonly Run[]): Measurement {
	const delays = runs.map(({ timeline }) => afterStopMs(timeline));
	const half = median(delays);
	const p95 = percentile(delays, 0.95);
	return {
		what: `live: from StopRecognition to the final text, p50 / p95 (${runs.length} clips of 3-10 s)`,
		earshot: `${ms(half)} / ${ms(p95)}`,
		goal: judged("p50 <= 120 ms, p95 <= 300 ms", half <= 120 && p95 <= 300),
	};
}

function afterSpeech(runs: readonly Run[]): Measurement {
	const delays = runs.map(
		({ timeline, speech }) => timeline.final.atMs - speech.bounds.endMs,
	);
	const half = median(delays);
	return {
		what: "live: from the end of speech (sample time) to the final text, max_suffix_silence=-1, p50 / p95",
		earshot: `${ms(half)} / ${ms(percentile(delays, 0.95))}`,
		goal: judged(
			`p50 <= hangover ${hangoverMs} + 80 ms`,
			half <= hangoverMs + 80,
		),
	};
}

/** Points of error that streaming may lie from the offline result. */
const pointsMax = 0.3;

function accuracy(runs: readonly Run[]): readonly Measurement[] {
	return languages.flatMap((language) => {
		const spoken = runs.filter(({ speech }) => speech.language === language);
		if (spoken.length === 0) return [];
		const live = errorPercent(
			spoken.map(({ speech, timeline }) =>
				errorsOf(speech, timeline.final.text),
			),
		);
		const offline = errorPercent(
			spoken.map(({ speech }) => errorsOf(speech, speech.offlineText)),
		);
		const same = spoken.filter(
			({ speech, timeline }) => timeline.final.text === speech.offlineText,
		);
		return [
			{
				what: `live ${language}: error % of streaming finals, of the same clips over HTTP; equal texts`,
				earshot: `${live.toFixed(2)}, ${offline.toFixed(2)}; ${same.length} of ${spoken.length}`,
				goal: judged(
					`within ${pointsMax} points`,
					Math.abs(live - offline) <= pointsMax,
				),
			},
		];
	});
}

export function share(part: number, whole: number): number {
	return whole === 0 ? 0 : (100 * part) / whole;
}

export function ms(milliseconds: number): string {
	return `${milliseconds.toFixed(0)} ms`;
}
