/**
 * A lane whose recognitions are recorded where their callers asked for it: the same at every door. The result never waits for the disk but for a moment:
 * the recording is sealed when the client has sent its last byte, while the last words are still being recognised.
 */
import type { SessionEvent, StoredRecording } from "../session/events.js";
import { ForwardedRecognition } from "../session/forwarded-recognition.js";
import type {
	Lane,
	Recognition,
	RecognitionCaller,
} from "../session/lane-port.js";
import type {
	RecognitionOptions,
	RecordingRequest,
} from "../session/options.js";
import type { Recording, RecordingOutcome } from "./recording.js";

export interface Recorder {
	/** @throws CodedError 100004 when there is no room */
	begin(
		request: RecordingRequest,
		options: RecognitionOptions,
	): Promise<Recording>;
	urlOf(recording: Recording, request: RecordingRequest): string;
}

const sealMsMaxUsual = 100;

export class RecordingLane implements Lane {
	readonly #lane: Lane;
	readonly #recorder: Recorder;
	readonly #sealMsMax: number;

	/** @param sealMsMax what a result waits for its recording to be on the disk. It will be: the link is told. */
	constructor(lane: Lane, recorder: Recorder, sealMsMax = sealMsMaxUsual) {
		this.#lane = lane;
		this.#recorder = recorder;
		this.#sealMsMax = sealMsMax;
	}

	async open(
		asked: RecognitionOptions,
		asker: RecognitionCaller,
		signal?: AbortSignal,
	): Promise<Recognition> {
		const { recording: request, ...options } = asked;
		if (!request) return this.#lane.open(options, asker, signal);
		const recording = await this.#recorder.begin(request, options);
		try {
			const recognition = await this.#lane.open(options, asker, signal);
			return new RecordedRecognition(recognition, recording, {
				url: this.#recorder.urlOf(recording, request),
				sealMsMax: this.#sealMsMax,
				isRefusedWhenLong: !options.completeAtDuration,
			});
		} catch (thrown) {
			void recording.discard();
			throw thrown;
		}
	}
}

interface RecordingResult {
	readonly url: string;
	readonly sealMsMax: number;
	/** What is longer than allowed has no result, and no link. */
	readonly isRefusedWhenLong: boolean;
}

class RecordedRecognition extends ForwardedRecognition {
	readonly #recording: Recording;

	constructor(
		recognition: Recognition,
		recording: Recording,
		ending: RecordingResult,
	) {
		super(recognition, withRecording(recognition.events, recording, ending));
		this.#recording = recording;
	}

	override write(bytes: Uint8Array): boolean {
		this.#recording.write(bytes);
		return super.write(bytes);
	}

	override finish(): void {
		super.finish();
		void this.#recording.seal();
	}

	override cancel(): void {
		super.cancel();
		void this.#recording.discard();
	}
}

async function* withRecording(
	events: AsyncIterable<SessionEvent>,
	recording: Recording,
	{ url, sealMsMax, isRefusedWhenLong }: RecordingResult,
): AsyncGenerator<SessionEvent> {
	try {
		for await (const event of events) {
			if (event.is !== "completed") {
				yield event;
				continue;
			}
			if (event.why === "duration" && isRefusedWhenLong) {
				yield event;
				continue;
			}
			const stored = storedRecording(
				await soon(recording.seal(), sealMsMax),
				url,
			);
			recording.markReported();
			yield { ...event, ...(stored && { recording: stored }) };
		}
	} finally {
		void recording.discard(); // where there is no result
	}
}

async function soon(
	sealed: Promise<RecordingOutcome>,
	msMax: number,
): Promise<RecordingOutcome | "later"> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<"later">((resolve) => {
		timer = setTimeout(() => resolve("later"), msMax);
	});
	try {
		return await Promise.race([sealed, late]);
	} finally {
		clearTimeout(timer);
	}
}

function storedRecording(
	outcome: RecordingOutcome | "later",
	url: string,
): StoredRecording | undefined {
	if (outcome === "later" || outcome.is === "kept") return { is: "kept", url };
	return outcome.is === "empty" ? undefined : outcome;
}
