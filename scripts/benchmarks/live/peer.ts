/**
 * earshot and the peer in turn, clip by clip: the same sound at the same pace, stopped at its last sample.
 */
import { languages } from "../clips.js";
import type { Measurement } from "../report.js";
import { errorPercent } from "../scoring.js";
import { median, percentile } from "../statistics.js";
import { type Endpoint, speakAndStop } from "./earshot-stream.js";
import { afterStopMs, ms, printTexts, share } from "./one.js";
import { peerName, StreamingPeer } from "./peer-stream.js";
import { errorsOf, type Speech } from "./speech.js";
import {
	addRestlessness,
	changesOnly,
	firstPartialMs,
	lastChangeMs,
	restlessness,
	type Timeline,
	withoutEcho,
} from "./timeline.js";

const threads = 2;

interface Pair {
	readonly speech: Speech;
	readonly earshot: Timeline;
	readonly peer: Timeline;
}

export async function measurePeer(
	endpoint: Endpoint,
	speeches: readonly Speech[],
	texts: boolean,
): Promise<readonly Measurement[]> {
	const peer = await StreamingPeer.start(threads);
	const pairs: Pair[] = [];
	try {
		const [warmUp] = speeches;
		if (warmUp) await peer.speakAndStop(warmUp.samples, warmUp.language);
		for (const speech of speeches) {
			const { samples, language } = speech;
			peer.pause();
			const earshot = await speakAndStop(endpoint, samples, language);
			peer.resume();
			const other = await peer.speakAndStop(samples, language);
			pairs.push({ speech, earshot, peer: other });
			if (texts) printTexts(speech, other);
		}
	} finally {
		await peer.close();
	}
	return measurementsOf(pairs);
}

function measurementsOf(pairs: readonly Pair[]): readonly Measurement[] {
	const both = (describe: (timelines: readonly Timed[]) => string) => ({
		earshot: describe(pairs.map((it) => ({ ...it, timeline: it.earshot }))),
		whisperLiveKit: `${peerName}: ${describe(pairs.map((it) => ({ ...it, timeline: it.peer })))}`,
	});
	return [
		{
			what: `live, side by side: from the end of the audio to the final text, p50 / p95; until it is said to be final, p50 (${pairs.length} clips)`,
			...both((runs) => {
				const shown = runs.map(
					({ timeline }) =>
						lastChangeMs(timeline) - (timeline.stoppedAtMs ?? 0),
				);
				const confirmed = runs.map(({ timeline }) => afterStopMs(timeline));
				return `${ms(median(shown))} / ${ms(percentile(shown, 0.95))}; ${ms(median(confirmed))}`;
			}),
			goal: "-",
		},
		{
			what: "live, side by side: first partial after speech begins, p50; partials that take back something shown",
			...both((runs) => {
				const firsts = runs.flatMap(
					({ timeline, speech }) =>
						firstPartialMs(timeline, speech.bounds) ?? [],
				);
				const rest = addRestlessness(
					runs.map(({ timeline }) =>
						restlessness(changesOnly(withoutEcho(timeline))),
					),
				);
				const first = firsts.length > 0 ? ms(median(firsts)) : "none";
				return `${first} (${firsts.length} of ${runs.length}); ${share(rest.takingBack, rest.messages).toFixed(1)} %`;
			}),
			goal: "-",
		},
		...languages.flatMap((language) => {
			if (!pairs.some(({ speech }) => speech.language === language)) return [];
			return [
				{
					what: `live, side by side, ${language}: error % of the final text`,
					...both((runs) =>
						errorPercent(
							runs
								.filter(({ speech }) => speech.language === language)
								.map(({ speech, timeline }) =>
									errorsOf(speech, timeline.final.text),
								),
						).toFixed(2),
					),
					goal: "-",
				},
			];
		}),
	];
}

interface Timed {
	readonly speech: Speech;
	readonly timeline: Timeline;
}
