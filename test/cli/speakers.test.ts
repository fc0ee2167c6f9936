/** `earshot transcribe --speakers`: what comes of a file whose voices can't be told apart, and of passages that were not understood. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import {
	speakersAsJson,
	speakersAsText,
	transcribeSpeakers,
} from "../../runtime/cli/speaker-transcriber.js";
import { fakeWorkers } from "../fixtures/fake-jobs.js";

const options = {
	language: "en-US",
	sampleRateHz: 16_000,
	punctuation: true,
	words: false,
} as const;

t.test("without speakers there is still a text, and the reason", async (t) => {
	const path = join(t.testdir(), "talk.wav");
	const script = { sentences: ["good day", "and bye"], voices: "fail" };
	writeFileSync(path, JSON.stringify(script));
	const file = { path, name: "talk.wav", bytes: 1, format: "wav" } as const;
	const limits: number[] = [];
	const workers: typeof fakeWorkers = {
		...fakeWorkers,
		recognize: (job, options, context) => {
			const { durationSecondsMax } = options;
			limits.push(durationSecondsMax, job.source.durationSecondsMax);
			return fakeWorkers.recognize(job, options, context);
		},
		diarize: (job, context) => {
			limits.push(job.source.durationSecondsMax);
			return fakeWorkers.diarize(job, context);
		},
	};
	const transcript = await transcribeSpeakers(workers, file, options, 0);
	t.same(limits, [86_400, 86_400, 86_400], "as without speakers");
	t.equal(transcript.missing, "no voices today");
	t.equal(speakersAsText(transcript, false, "en-US"), "-: good day. and bye.");
});

t.test("what was not understood is no line", async (t) => {
	const file = { path: "a", name: "a", bytes: 1, format: "wav" } as const;
	const segment = (
		seg_num: number,
		transcript: string,
		cluster_id?: number,
	) => ({
		seg_num,
		transcript,
		confidence: 1,
		paragraph: 1,
		begin: "00:00:00,000",
		end: "00:00:01,000",
		...(cluster_id !== undefined && { cluster_id }),
		...(transcript === "" && { understood: false as const }),
	});
	const segments = [
		segment(1, "Good", 1),
		segment(2, ""),
		segment(3, "day.", 1),
	];
	t.equal(speakersAsText({ file, segments }, false, "en-US"), "1: Good day.");
	t.match(speakersAsJson({ file, segments }, options), {
		segments: [{ text: "Good" }, { text: "", understood: false }, {}],
	});
});
