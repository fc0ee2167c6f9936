/** A file of raw speech through the engine for files, on the repository's own models. */
import {
	type Engine,
	openEngine,
} from "../../runtime/engine/child/open-core.js";
import type {
	RecognitionJob,
	Resume,
	UtterancesEvent,
} from "../../runtime/engine/file-job.js";
import type { RecognitionOptions } from "../../runtime/session/options.js";
import { options as laneOptions } from "./fake-lane.js";

/** @param folder for spooled files. */
export function openFileEngine(
	folder: string,
	recognizers: number,
): Promise<Engine> {
	return openEngine({
		modelFolder: "models/whisper-base",
		voiceActivityFolder: "models/silero-vad",
		speakerFolder: "",
		threads: 2,
		processor: "cpu",
		recognizers,
		beam: 5,
		spoolFolder: folder,
		spoolBytesMax: 1e6,
		verify: false,
	});
}

export async function closeEngine({ workers, core }: Engine): Promise<void> {
	await workers.close();
	await core.close();
}

/** @param path of 16-bit samples at 16 kHz. @returns the utterances, and the file's length. */
export async function transcribePath(
	{ workers }: Engine,
	path: string,
	changes: Partial<RecognitionOptions>,
	resume: readonly Resume[] = [],
): Promise<{ events: UtterancesEvent[]; audioMs: number }> {
	const { hotwords, corrections, forbidden, ...options } = {
		...laneOptions,
		...changes,
	};
	const job: RecognitionJob = {
		is: "hear",
		source: {
			path,
			format: "pcm",
			sampleRateHz: 16000,
			channels: 1,
			gain: 1,
			durationSecondsMax: 100,
		},
		options,
		resume,
		skip: [],
		oneByOne: false,
	};
	const events: UtterancesEvent[] = [];
	const audioMs = await workers.recognize(job, options, {
		emit: (event) => {
			if (event.is === "heard") events.push(event);
		},
		signal: new AbortController().signal,
	});
	return { events, audioMs };
}
