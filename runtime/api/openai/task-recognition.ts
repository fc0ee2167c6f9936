/**
 * Recognizes a long file, or one whose speakers are to be told apart, as a file task that the request waits for: it takes no slot from those who speak. The
 * task is removed when its answer is sent, when the client leaves, when it takes too long, and after a crash at the next start.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CodedError, errorTable } from "../../errors.js";
import type { LogPort } from "../../log/log-port.js";
import type { Owner } from "../../owner.js";
import type { Lane } from "../../session/lane-port.js";
import { referencesOf } from "../../session/requested-recognition.js";
import type { FileIntake } from "../../tasks/intake/file-intake.js";
import type { ResultSegment } from "../../tasks/result/result.js";
import type { TaskService, TaskView } from "../../tasks/task-service.js";
import type { DefaultingWords } from "../../word-lists/endpoint-words.js";
import type { KeptFile } from "../kept-file.js";
import type { Sentence } from "./event-stream.js";
import { identifiedLanguage } from "./file-language.js";
import { type Caller, uploadValues } from "./short-recognition.js";
import type { Transcription } from "./transcription.js";
import type { TranscriptionRequest } from "./transcription-request.js";

const pollMs = 100;
/** Clients that repeat a request by themselves would have all of the file transcribed again, and fail again. */
const retriedNever = { retry: "never" } as const;

export interface TaskRecognitionParts {
	readonly intake: FileIntake;
	readonly taskService: TaskService;
	readonly lane: Lane;
	readonly wordLists: DefaultingWords;
	readonly waitSecondsMax: number;
}

export interface Submitting extends Caller {
	readonly owner: Owner;
	readonly log: LogPort;
	readonly fileName: string;
}

/**
 * @param onSentence called for each sentence that is certain before the end, in order.
 * @throws CodedError; 100006 where it takes too long
 */
export async function recognizeAsTask(
	file: KeptFile,
	request: TranscriptionRequest,
	parts: TaskRecognitionParts,
	{ owner, log, fileName, ...caller }: Submitting,
	onSentence?: (sentence: Sentence) => void,
): Promise<Transcription> {
	const { taskService, intake, lane, wordLists } = parts;
	const { signal } = caller;
	const { languageChoices } = request.languages;
	intake.requireRoom();
	const [identified, draft] = await withItsLists(
		request,
		wordLists,
		async () => [
			await identifiedLanguage(file, request, lane, caller),
			await file.draft(),
		],
	);
	const from = request.languages.translatedFrom && {
		translatedFrom: identified ?? request.languages.translatedFrom,
	};
	const language = from
		? request.languages.language
		: (identified ?? request.languages.language);
	const { taskId } = await intake.take({
		variant: "standard",
		values: uploadValues(request, language, request.words || request.logprobs),
		format: "auto",
		isAwaited: true,
		wordLists,
		...from,
		...(languageChoices && { listLanguages: languageChoices }),
		file: { draft, name: fileName },
		owner,
		signal,
		log,
	});
	let isReleased = false;
	const release = () => {
		if (isReleased) return;
		isReleased = true;
		taskService
			.remove(taskId)
			.catch((error: unknown) =>
				log.warn({ task: taskId, err: error }, "a task was not removed"),
			);
	};
	const settled = onSentence && taskService.settledSentences(taskId);
	const onWaiting = () => {
		for (const text of settled?.take() ?? []) onSentence?.({ text, language });
	};
	try {
		const task = await finished(taskId, parts, signal, onWaiting);
		const result = taskService.result(taskId);
		if (task.state === "failed" || !result) throw failureOf(task);
		if (request.format === "diarized_json" && !areApart(result.segments()))
			throw new CodedError(
				"100003",
				[
					"nobody could be told apart (another response_format returns the text)",
					...task.notes,
				].join("; "),
				retriedNever,
			);
		return {
			language,
			isIdentified: !from && identified !== undefined,
			audioMs: task.audioMs,
			segments: () => result.segments(),
			release,
		};
	} catch (thrown) {
		release();
		throw thrown;
	}
}

/** Refuses what it names before its speech is searched for a language, and keeps it meanwhile. @throws CodedError */
async function withItsLists<T extends readonly unknown[]>(
	request: TranscriptionRequest,
	wordLists: DefaultingWords,
	act: () => Promise<T>,
): Promise<T> {
	const { language, languageChoices } = request.languages;
	const named = referencesOf(uploadValues(request, language, false));
	wordLists.resolve(named, language, languageChoices);
	const release = wordLists.holdNamed(
		named,
		language,
		"recognition",
		languageChoices,
	);
	try {
		return await act();
	} finally {
		release();
	}
}

/** Speakers were found, or nobody spoke. */
function areApart(segments: Iterable<ResultSegment>): boolean {
	let isSpeech = false;
	for (const { cluster_id, transcript } of segments) {
		if (cluster_id !== undefined) return true;
		isSpeech ||= transcript !== "";
	}
	return !isSpeech;
}

/** @param onWaiting called again and again. @throws CodedError 100006; the signal's reason */
async function finished(
	id: string,
	{
		taskService,
		waitSecondsMax: secondsMax,
	}: Pick<TaskRecognitionParts, "taskService" | "waitSecondsMax">,
	signal: AbortSignal,
	onWaiting: () => void,
): Promise<TaskView> {
	const untilMs = performance.now() + secondsMax * 1000;
	for (;;) {
		const task = taskService.find(id);
		if (!task)
			throw new CodedError("100003", "its task was removed", retriedNever);
		if (task.state === "completed" || task.state === "failed") return task;
		if (performance.now() >= untilMs)
			throw new CodedError(
				"100006",
				`the audio was not transcribed within ${secondsMax} seconds (endpoints.wait_seconds)`,
				retriedNever,
			);
		onWaiting();
		await sleep(pollMs, undefined, { signal });
	}
}

/** A failed task has a status that may be that of an answer: 220500 is sent with HTTP 200 where tasks are listed. */
function failureOf({ failure }: TaskView): CodedError {
	const { status = "100003", message } = failure ?? {};
	const isError =
		Object.hasOwn(errorTable, status) && errorTable[status].http >= 400;
	return new CodedError(isError ? status : "100003", message, retriedNever);
}
