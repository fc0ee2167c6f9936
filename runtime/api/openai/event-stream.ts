/**
 * A transcription as server-sent events (docs/openai.md): a delta for each finished sentence, so that all deltas together are the text, then `done`. An error
 * before the first event is an ordinary error answer; later it is an event, and the stream ends.
 */
import { asCodedError } from "../../errors.js";
import { joinTexts } from "../../session/join-text.js";
import type { Language } from "../../text/languages.js";
import { diarizedSegment, languagesOf, logprobsOf } from "./answers.js";
import { openAiError } from "./error.js";
import { type Transcription, textOf, timedWordsOf } from "./transcription.js";
import type { TranscriptionRequest } from "./transcription-request.js";

/** The server closes a connection on which nothing is written for 10 s. */
const commentMs = 5_000;
const comment = ": wait\n\n";
const end = "data: [DONE]\n\n";

export interface Sentence {
	readonly text: string;
	readonly language: Language;
}

/** @param recognize calls its argument for each finished sentence, in order. */
export async function* eventStream(
	request: Pick<TranscriptionRequest, "format" | "logprobs">,
	recognize: (
		onSentence: (sentence: Sentence) => void,
	) => Promise<Transcription>,
): AsyncGenerator<string> {
	const sentences: Sentence[] = []; // for a slow client: at most the transcript, which is made in one piece at the end
	let wake = () => {};
	let outcome:
		| { readonly transcription: Transcription }
		| { readonly error: unknown }
		| undefined;
	const over = recognize((sentence) => {
		sentences.push(sentence);
		wake();
	}).then(
		(transcription) => {
			outcome = { transcription };
		},
		(error: unknown) => {
			outcome = { error };
		},
	);
	let isBegun = false;
	let sent = "";
	let last = ""; // sentence of it
	const isDiarized = request.format === "diarized_json";
	try {
		for (;;) {
			const sentence = sentences.shift();
			if (sentence && !isDiarized) {
				const added = addition(last, sentence.text, sentence.language);
				if (added === "") continue;
				isBegun = true;
				yield delta(added);
				sent += added;
				last = sentence.text.trim();
				continue;
			}
			if (outcome) break;
			const changed = new Promise<void>((resolve) => {
				wake = resolve;
			});
			if (await isLate(Promise.race([changed, over]))) {
				isBegun = true;
				yield comment;
			}
		}
		if ("error" in outcome) throw outcome.error;
		yield* rest(request, outcome.transcription, sent);
		yield end;
	} catch (thrown) {
		if (!isBegun) throw thrown;
		yield event({ error: openAiError(asCodedError(thrown)) });
	} finally {
		if (outcome && "transcription" in outcome) outcome.transcription.release();
		else
			over.then(() => {
				if (outcome && "transcription" in outcome)
					outcome.transcription.release();
			});
	}
}

/** What was not sent while it was recognized. */
function* rest(
	{ format, logprobs }: Pick<TranscriptionRequest, "format" | "logprobs">,
	transcription: Transcription,
	sent: string,
): Generator<string> {
	const whole = textOf(transcription);
	// a language that was not certain yet may have joined what was sent, and another one the whole
	const text = isSameButSpaces(whole, sent) ? sent : whole;
	if (format === "diarized_json") {
		let index = 0;
		for (const segment of transcription.segments())
			yield event(diarizedSegment(segment, index++));
	} else if (text.startsWith(sent)) {
		let at = 0;
		let last = "";
		for (const { transcript } of transcription.segments()) {
			const added = addition(last, transcript, transcription.language);
			if (added === "") continue;
			if (!text.startsWith(added, at)) break;
			const from = Math.max(at, sent.length);
			at += added.length;
			last = transcript.trim();
			if (at > from) yield delta(text.slice(from, at));
		}
		const from = Math.max(at, sent.length);
		if (from < text.length) yield delta(text.slice(from));
	}
	yield event({
		type: "transcript.text.done",
		text,
		...(logprobs && { logprobs: logprobsOf(timedWordsOf(transcription)) }),
		...languagesOf(transcription),
	});
}

/** What a sentence adds to a text that ends with the sentence before it. */
function addition(before: string, text: string, language: Language): string {
	return joinTexts([before, text], language).slice(before.length);
}

function isSameButSpaces(a: string, b: string): boolean {
	return a.replaceAll(" ", "") === b.replaceAll(" ", "");
}

function delta(text: string): string {
	return event({ type: "transcript.text.delta", delta: text });
}

function event(data: object): string {
	return `data: ${JSON.stringify(data)}\n\n`;
}

async function isLate(coming: Promise<unknown>): Promise<boolean> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<boolean>((resolve) => {
		timer = setTimeout(() => resolve(true), commentMs);
	});
	try {
		return await Promise.race([coming.then(() => false), late]);
	} finally {
		clearTimeout(timer);
	}
}
