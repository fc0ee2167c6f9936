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
	const sentences: Sentence[] = [];
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
	const isDiarized = request.format === "diarized_json";
	try {
		for (;;) {
			const sentence = sentences.shift();
			if (sentence && !isDiarized) {
				const text = joinTexts([sent, sentence.text], sentence.language);
				if (text === sent) continue;
				isBegun = true;
				yield delta(text.slice(sent.length));
				sent = text;
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
	} else if (sent === "") {
		let soFar = "";
		for (const { transcript } of transcription.segments()) {
			const next = joinTexts([soFar, transcript], transcription.language);
			if (next !== soFar) yield delta(next.slice(soFar.length));
			soFar = next;
		}
		if (text.startsWith(soFar) && text !== soFar)
			yield delta(text.slice(soFar.length));
	} else if (text.startsWith(sent) && text !== sent)
		yield delta(text.slice(sent.length));
	yield event({
		type: "transcript.text.done",
		text,
		...(logprobs && { logprobs: logprobsOf(timedWordsOf(transcription)) }),
		...languagesOf(transcription),
	});
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
