/** What a decode is said to cost, by which partials are paced: scripted recognitions on a recognizer that takes a while. */
import { setTimeout as pause } from "node:timers/promises";
import t from "tap";
import {
	DecodeScheduler,
	type ScheduledRecognition,
} from "../../runtime/engine/child/decode-scheduler.js";
import type { SpeechRecognizer } from "../../runtime/models/recognizer.js";
import { whisperCapabilities } from "../../runtime/models/whisper/recognizer.js";
import type { Segment } from "../../runtime/segmentation/events.js";
import type { Urgency } from "../../runtime/session/decode-plan.js";
import { eventually } from "../fixtures/eventually.js";
import { madeHypothesis } from "../session/made-utterances.js";
import { options } from "./fake-lane.js";

/** How long the last decode took inside. */
let decodeMs = 0;

const recognizer: SpeechRecognizer = {
	name: "slow",
	languages: ["en-US"],
	capabilities: whisperCapabilities,
	recognize: async () => {
		const since = performance.now();
		await pause(20);
		decodeMs = performance.now() - since;
		return madeHypothesis("x");
	},
	close: async () => {},
};

const second = { startSample: 0, endSample: 16_000 };
const segment: Segment = {
	...second,
	index: 1,
	speechStartSample: 0,
	speechEndSample: 16_000,
	pauses: [],
	voiced: [second],
	samples: new Float32Array(16_000),
};

/** Somebody who speaks, with one text to be decoded. */
function speaker(awaitsText: boolean, wanted: Urgency = "partial") {
	let since = 0;
	const found = {
		/** At least: its time from when it was asked for it until it was told. */
		times: 0,
		/** At most. */
		timesMax: 0,
		recognition: {} as ScheduledRecognition,
	};
	found.recognition = {
		options: { ...options, streamed: true },
		useLanguage() {},
		finalsOwed: 0,
		speaking: true,
		awaitsText,
		nextDecode(urgency) {
			if (urgency !== wanted || since > 0) return undefined;
			since = performance.now();
			return { urgency, segment };
		},
		showLife() {},
		mayAbandon: () => false,
		settle(_decode, _result, costSeconds) {
			found.times = (1000 * costSeconds) / (performance.now() - since);
			found.timesMax = (1000 * costSeconds) / decodeMs;
		},
		fail(error) {
			throw error;
		},
	};
	return found;
}

t.test(
	"a first text costs as if those that wait for one needed as much, other text as if all speakers did",
	async (t) => {
		const scheduler = new DecodeScheduler(recognizer, 5);
		const talkers = Array.from({ length: 4 }, () => speaker(false));
		const newcomer = speaker(true);
		for (const { recognition } of [...talkers, newcomer])
			scheduler.join(recognition);
		scheduler.wake();
		await eventually("all decodes", () =>
			[...talkers, newcomer].every(({ times }) => times > 0),
		);
		t.ok(newcomer.times <= 1, `${newcomer.times} times its own`);
		for (const { times, timesMax } of talkers)
			t.ok(timesMax > 2 && times <= 5, `${times} to ${timesMax} times`);
	},
);

t.test(
	"finals that a recognizer takes one by one are counted with all their time",
	async (t) => {
		let atWork = 0;
		const oneByOne: SpeechRecognizer = {
			...recognizer,
			nextBatch: (requests) => requests.slice(0, 1),
			recognizeAll: async (requests) => {
				const since = performance.now();
				await pause(20);
				atWork += (performance.now() - since) / 1000;
				return requests.map(() => madeHypothesis("x"));
			},
		};
		const scheduler = new DecodeScheduler(oneByOne, 5);
		const speakers = Array.from({ length: 5 }, () => speaker(false, "final"));
		for (const { recognition } of speakers) scheduler.join(recognition);
		scheduler.wake();
		await eventually("all finals", () => scheduler.decodeSeconds > 0);
		t.equal(scheduler.audioSeconds, 5);
		t.ok(
			scheduler.decodeSeconds >= atWork,
			`${scheduler.decodeSeconds} s for ${atWork} s of work`,
		);
	},
);
