/**
 * A lane whose recognitions are recorded if the caller requested it, for all endpoints alike. The result waits for the disk only for a moment:
 * the recording is sealed when the client has sent its last byte, while the last segments are still being recognized.
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
	/** @throws CodedError 100004 if there is no room */
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

	/** @param sealMsMax how long a result waits for its recording to be on disk. After that the link is returned anyway, and the recording follows. */
	constructor(lane: Lane, recorder: Recorder, sealMsMax = sealMsMaxUsual) {
		this.#lane = lane;
		this.#recorder = recorder;
		this.#sealMsMax = sealMsMax;
	}

	async open(
		requested: RecognitionOptions,
		caller: RecognitionCaller,
		signal?: AbortSignal,
		asksAgain?: boolean,
	): Promise<Recognition> {
		const { recording: request, ...options } = requested;
		const open = () => this.#lane.open(options, caller, signal, asksAgain);
		if (!request) return open();
		const recording = await this.#recorder.begin(request, options);
		try {
			const recognition = await open();
			return new RecordedRecognition(recognition, recording, {
				url: this.#recorder.urlOf(recording, request),
				sealMsMax: this.#sealMsMax,
				isRefusedWhenLong: !options.completeAtDuration,
			});
		} catch (error) {
			void recording.discard();
			throw error;
		}
	}
}

interface RecordingResult {
	readonly url: string;
	readonly sealMsMax: number;
	/** A recording longer than allowed gets no result and no link. */
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

	/** Never: the recording would end with it. */
	override onReplace(): void {}

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
		void recording.discard(); // no effect once it was reported
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
