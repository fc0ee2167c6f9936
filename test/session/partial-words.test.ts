/** Words of partials while a long sentence is spoken: what is decoded no more keeps its words, and what follows has its own. */
import t from "tap";
import { sampleRateHz } from "../../runtime/audio/sample-rate.js";
import type { Segment } from "../../runtime/segmentation/events.js";
import { PartialTrack } from "../../runtime/session/partial-track.js";
import { TextPipeline } from "../../runtime/text/pipeline.js";
import { madeHypothesis } from "./made-utterances.js";

const options = {
	language: "en-US",
	words: true,
	punctuation: true,
	inverseTextNormalization: false,
	modalParticleFilter: false,
} as const;
const secondsSpoken = 24;
const alphabet = "abcdefghijklmnopqrstuvwxyz";

function heard(startSample: number, endSample: number): Segment {
	return {
		index: 1,
		startSample,
		endSample,
		speechStartSample: startSample,
		speechEndSample: endSample,
		pauses: [],
		voiced: [],
		samples: new Float32Array(endSample - startSample),
	};
}

/** A word for each second; the eighth was aligned to a moment. */
function spokenWithin({ startSample, endSample }: Segment) {
	const first = Math.ceil(startSample / sampleRateHz);
	const words = [];
	for (let i = first; i < endSample / sampleRateHz - 0.9; i++) {
		const isMoment = i === 7;
		const from = i - startSample / sampleRateHz;
		words.push({
			text: `word${alphabet[i]}`,
			startSeconds: from + 0.2,
			endSeconds: from + (isMoment ? 0.2 : 0.9),
			confidence: 1,
			kind: "normal" as const,
		});
	}
	const text = words.map((it) => it.text).join(" ");
	return madeHypothesis(text, { confidence: 0.95, words });
}

t.test("a word without a length hides none of those after it", async (t) => {
	const track = new PartialTrack(
		options,
		{ startSample: 0, speechStartSample: 0 },
		new TextPipeline(options),
		() => "",
	);
	let most = 0;
	for (let seconds = 1; seconds <= secondsSpoken; seconds += 0.5) {
		const segment = heard(track.fromSample, seconds * sampleRateHz);
		const decode = { ...track.next(segment), urgency: "partial" as const };
		const shown = track.accept(decode, spokenWithin(segment), 0.01);
		if (!shown) continue;
		const { text, words } = shown.utterance;
		t.equal(words.map((it) => it.text).join(" "), text);
		for (const [i, { startMs, endMs }] of words.entries())
			t.ok(startMs < endMs && startMs >= (words[i - 1]?.endMs ?? 0), `${i}`);
		most = Math.max(most, words.length);
	}
	t.ok(most > 20, `${most} words`);
});
