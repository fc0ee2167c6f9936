/** Recognizes a short file on the live lane, as `POST /v1/asr/api` does, so that both give the same text. */
import { CodedError } from "../../errors.js";
import type { Owner } from "../../owner.js";
import type { SessionEvent, Utterance } from "../../session/events.js";
import type { Lane } from "../../session/lane-port.js";
import type { RecognitionOptions } from "../../session/options.js";
import {
	recognitionOf,
	referencesOf,
} from "../../session/requested-recognition.js";
import {
	fileOptionsOf,
	type UploadOptions,
} from "../../tasks/intake/upload-options.js";
import { segmentsOf } from "../../tasks/result/speech-segments.js";
import type { Language } from "../../text/languages.js";
import type { WordSource } from "../../word-lists/references.js";
import type { KeptFile } from "../kept-file.js";
import type { Metrics } from "../metrics/metrics.js";
import { type Completed, pipeToRecognition } from "../pipe-to-recognition.js";
import type { Transcription } from "./transcription.js";
import {
	type TranscriptionRequest,
	uploadOptionsOf,
} from "./transcription-request.js";

export interface ShortRecognitionParts {
	readonly lane: Lane;
	readonly installed: readonly Language[];
	readonly wordLists: WordSource;
	readonly metrics: Pick<Metrics, "audioRecognized">;
	readonly secondsMax: number;
}

export interface Caller {
	readonly sharer: Owner;
	readonly signal: AbortSignal;
}

/**
 * @param onEvent called as they come.
 * @returns undefined where the audio is longer than `secondsMax`.
 * @throws CodedError
 */
export async function recognizeShort(
	file: KeptFile,
	request: TranscriptionRequest,
	parts: ShortRecognitionParts,
	{ sharer, signal }: Caller,
	onEvent: (event: SessionEvent) => void = () => {},
): Promise<Transcription | undefined> {
	const { lane, installed, wordLists, metrics } = parts;
	const needsSegments = !["json", "text"].includes(request.format);
	const { language, languageChoices, translatedFrom } = request.languages;
	const values = uploadValues(request, language, needsSegments);
	const words = wordLists.resolve(
		referencesOf(values),
		language,
		languageChoices,
	);
	const options: RecognitionOptions = {
		...optionsOf(request, values, parts),
		...words,
		words: !translatedFrom && (needsSegments || request.logprobs),
	};
	const release = wordLists.hold(words);
	const utterances: Utterance[] = [];
	const startedMs = performance.now();
	let completed: Completed | undefined;
	try {
		const recognition = await lane.open(options, sharer, signal);
		const body = { read: () => file.pieces() };
		completed = await pipeToRecognition(body, recognition, signal, (event) => {
			if (event.is === "final") utterances.push(event.utterance);
			onEvent(event);
		});
	} finally {
		release();
	}
	if (!completed) throw new CodedError("100003"); // a file does not stall
	if (completed.why === "duration") return undefined;
	const { audioMs } = completed;
	metrics.audioRecognized(
		audioMs / 1000,
		(performance.now() - startedMs) / 1000,
	);
	const identified = translatedFrom ? undefined : completed.language;
	const spoken = identified ?? language;
	const segments = needsSegments
		? await segmentsOf(
				fileOptionsOf(
					{ ...values, lang_type: spoken, enable_words: request.words },
					"standard",
					installed,
				),
				{ channels: [utterances], turns: [] },
			)
		: [];
	return {
		language: spoken,
		isIdentified: identified !== undefined,
		audioMs,
		text: completed.text,
		words: completed.words,
		segments: () => segments,
		release: () => {},
	};
}

/** All but the word lists, and whether words are wanted. */
function optionsOf(
	{ languages, options }: TranscriptionRequest,
	values: UploadOptions,
	{ installed, secondsMax }: ShortRecognitionParts,
): RecognitionOptions {
	const { languageChoices, translatedFrom } = languages;
	const { enable_punctuation_prediction } = options;
	return {
		...recognitionOf(
			{
				...values,
				enable_punctuation_prediction,
				enable_spoken: false,
				duration: secondsMax,
				...(languageChoices && { languageChoices }),
			},
			installed,
		),
		format: "auto",
		oneText: values.max_sentence_silence === undefined,
		...(translatedFrom && { translatedFrom }),
	};
}

/** @param words with their times are in the segments. */
export function uploadValues(
	request: TranscriptionRequest,
	language: Language,
	words: boolean,
): UploadOptions {
	const isSubtitle = request.format === "srt" || request.format === "vtt";
	return uploadOptionsOf(request, {
		lang_type: language,
		format: "wav", // the bytes decide
		output: isSubtitle ? "subtitle" : "text",
		enable_words: words,
	});
}
