/**
 * The inside of an engine with scripted models (see session/rehearsal): audio decoding, the segmenter and the scheduling are real.
 */
import type { ContainerDecoder } from "../../runtime/audio/decoder-port.js";
import { EngineCore } from "../../runtime/engine/child/engine-core.js";
import { type Models, rulesFor } from "../../runtime/engine/child/models.js";
import { PendingSends } from "../../runtime/engine/child/pending-sends.js";
import { CodedError } from "../../runtime/errors.js";
import type {
	Hypothesis,
	SegmentRequest,
	SpeechRecognizer,
} from "../../runtime/models/recognizer.js";
import { whisperCapabilities } from "../../runtime/models/whisper/recognizer.js";
import { SpeechSegmenter } from "../../runtime/segmentation/speech-segmenter.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import type { RecognitionOptions } from "../../runtime/session/options.js";
import { speech } from "../session/rehearsal.js";
import { options } from "./fake-lane.js";

type Recognize = (
	request: SegmentRequest,
) => Promise<Hypothesis | "cancelled"> | Hypothesis | "cancelled";

/** Of nothing. */
async function* decodeBytes(bytes: AsyncIterable<Uint8Array>) {
	let total = 0;
	for await (const chunk of bytes) total += chunk.length;
	if (total > 0) throw new CodedError("200006", "nothing decodes this");
	yield new Float32Array(0);
}

export function coreOf(
	recognize: Recognize,
	probeWords: readonly string[] = [],
	more: Partial<SpeechRecognizer> = {},
	decoder: Pick<ContainerDecoder, "decodeBytes"> = { decodeBytes },
) {
	const models: Models = {
		recognizer: {
			...more,
			name: "planned",
			languages: ["en-US", "ja-JP"],
			capabilities: whisperCapabilities,
			recognize: async (request) => recognize(request),
			close: async () => {},
		},
		secondEar: undefined,
		probe: { path: "", language: "en", words: probeWords },
		createFileSegmenter: () => {
			throw new Error("not asked for");
		},
		createSegmenter: (options) =>
			new SpeechSegmenter(
				{
					windowSamples: 512,
					accept: async (windows) =>
						windows
							.filter((_, i) => i % 512 === 0)
							.map((it) => Math.max(0, it)),
					strideWindows: 1,
					finish: async () => new Float32Array(0),
					reset() {},
				},
				rulesFor(options),
			),
		pendingSends: new PendingSends(),
		close: async () => {},
	};
	const decodeFile = () => {
		throw new Error("not asked for");
	};
	return new EngineCore(models, { ...decoder, decodeFile }, 5);
}

/** Speech and silence as 16-bit samples. */
export function pcm(...partsMs: number[]): Uint8Array {
	const samples = Int16Array.from(speech(...partsMs), (it) => it * 32767);
	return new Uint8Array(samples.buffer);
}

export interface Played {
	readonly events: SessionEvent[];
	readonly ended: Promise<{ error?: unknown }>;
	readonly recognition: ReturnType<EngineCore["open"]>;
	usedBytes: number;
	signsOfLife: number;
}

export function play(
	core: EngineCore,
	audio: Uint8Array | undefined,
	changes: Partial<RecognitionOptions> = {},
): Played {
	const events: SessionEvent[] = [];
	let error: { error?: unknown } = {};
	let resolveEnded: (how: { error?: unknown }) => void;
	const ended = new Promise<{ error?: unknown }>((resolve) => {
		resolveEnded = resolve;
	});
	const recognition = core.open(
		{ ...options, ...changes },
		{
			onEvent: (event) => events.push(event),
			onFailed: (failure) => {
				error = { error: failure };
			},
			onUsed: (bytes) => {
				played.usedBytes += bytes;
				if (bytes === 0) played.signsOfLife++;
			},
			onEnded: () => resolveEnded(error),
		},
	);
	const played: Played = {
		events,
		ended,
		recognition,
		usedBytes: 0,
		signsOfLife: 0,
	};
	if (audio) {
		for (let at = 0; at < audio.length; at += 10_001)
			recognition.push(audio.subarray(at, at + 10_001));
		recognition.finish();
	}
	return played;
}
