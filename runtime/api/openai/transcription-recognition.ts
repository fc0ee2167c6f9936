/** How the file of a form is recognized: short audio at once, longer audio as a task that is waited for. */
import { identify } from "../../audio/identify.js";
import { sniffBytesMax } from "../../audio/sniff.js";
import { wavExtent } from "../../audio/wav-extent.js";
import type { Config } from "../../config/schema.js";
import { CodedError } from "../../errors.js";
import type { SessionEvent } from "../../session/events.js";
import type { Lane } from "../../session/lane-port.js";
import type { FileIntake } from "../../tasks/intake/file-intake.js";
import type { TaskService } from "../../tasks/task-service.js";
import type { Language } from "../../text/languages.js";
import type { DefaultingWords } from "../../word-lists/endpoint-words.js";
import type { RequestContext } from "../exchange.js";
import type { KeptFile } from "../kept-file.js";
import type { KeptForm } from "../kept-form.js";
import type { Metrics } from "../metrics/metrics.js";
import { sharerOf } from "../network-of.js";
import type { Sentence } from "./event-stream.js";
import { recognizeShort } from "./short-recognition.js";
import { recognizeAsTask } from "./task-recognition.js";
import type { Transcription } from "./transcription.js";
import type { TranscriptionRequest } from "./transcription-request.js";

/** Audio of an unknown length above this rate counts as longer than `sync_seconds`; below it, recognition finds out. */
const bytesPerSecondMax = 32_000;
/** Of a request that can't become a task, since there are none. */
const secondsMaxAlone = 600;

export interface RecognitionParts {
	/** In force: a reload may change it. */
	readonly endpoints: () => Config["endpoints"];
	readonly lane: Lane;
	readonly languages: readonly Language[];
	readonly wordLists: DefaultingWords;
	readonly metrics: Metrics;
	/** Absent: nothing becomes a task. */
	readonly files?: {
		readonly intake: FileIntake;
		readonly taskService: TaskService;
	};
}

/** @param onSentence called for the sentences that are certain while it is recognized, in order; none where short audio does not say its length. */
export async function recognizeForm(
	context: RequestContext,
	form: KeptForm,
	wanted: TranscriptionRequest,
	parts: RecognitionParts,
	onSentence?: (sentence: Sentence) => void,
): Promise<Transcription> {
	const transcription = await shortOrTask(
		context,
		form,
		wanted,
		parts,
		onSentence,
	);
	context.measured.audioRecognized(transcription.audioMs / 1000);
	return transcription;
}

async function shortOrTask(
	{ request, principal, log }: RequestContext,
	{ file, fileName }: KeptForm,
	wanted: TranscriptionRequest,
	parts: RecognitionParts,
	onSentence?: (sentence: Sentence) => void,
): Promise<Transcription> {
	const { endpoints, files, lane, wordLists, metrics } = parts;
	const { sync_seconds: syncSeconds, wait_seconds: waitSecondsMax } =
		endpoints();
	const { signal } = request;
	const caller = { sharer: sharerOf(principal, request), signal };
	const { clusters, channels } = wanted.options;
	const needsTask = clusters !== undefined || channels === 2;
	const secondsMax = files ? syncSeconds : secondsMaxAlone;
	const seconds = await audioSecondsOf(file);
	const mayBeShort =
		seconds === undefined
			? file.bytes <= secondsMax * bytesPerSecondMax
			: seconds <= secondsMax;
	if (!files && needsTask)
		throw new CodedError("200002", "speakers can't be told apart here");
	const ahead = new SentencesAhead(
		wanted.languages,
		seconds === undefined ? undefined : onSentence,
	);
	if (!files || (mayBeShort && !needsTask)) {
		const short = await recognizeShort(
			file,
			wanted,
			{ lane, wordLists, metrics, installed: parts.languages, secondsMax },
			caller,
			(event) => ahead.accept(event),
		);
		if (short) return short;
		if (!files)
			throw new CodedError(
				"200005",
				`audio must be at most ${secondsMax} seconds long`,
				{ param: "file" },
			);
	}
	const submitting = { ...caller, owner: principal.owner, log, fileName };
	const taskParts = { ...files, lane, wordLists, waitSecondsMax };
	return recognizeAsTask(
		file,
		wanted,
		taskParts,
		submitting,
		ahead.hasSent ? undefined : onSentence,
	);
}

/** Passes on the sentences of short audio before its end. */
class SentencesAhead {
	readonly #language: Language;
	readonly #onSentence: ((sentence: Sentence) => void) | undefined;
	/** A joiner follows from the language, which must not change any more. */
	#isLanguageSettled: boolean;
	#isFirst = true;
	/** What was sent is not sent again by a task. */
	hasSent = false;

	constructor(
		{ language, languageChoices }: TranscriptionRequest["languages"],
		onSentence: ((sentence: Sentence) => void) | undefined,
	) {
		this.#language = language;
		this.#isLanguageSettled = languageChoices === undefined;
		this.#onSentence = onSentence;
	}

	accept(event: SessionEvent): void {
		if (event.is !== "final") return;
		if (this.#isFirst) this.#isLanguageSettled ||= event.language !== undefined;
		this.#isFirst = false;
		if (!this.#isLanguageSettled || !this.#onSentence) return;
		this.hasSent = true;
		const { utterance, language = this.#language } = event;
		this.#onSentence({ text: utterance.text, language });
	}
}

/** Seconds of audio, where the header says so. @throws CodedError 200006 */
async function audioSecondsOf(file: KeptFile): Promise<number | undefined> {
	const head = await file.read(0, sniffBytesMax);
	const found = identify("auto", head, head.length === file.bytes);
	if (found !== "wav") return undefined;
	const { format, frames } = await wavExtent(file);
	return format.codec === "other" ? undefined : frames / format.sampleRateHz;
}
