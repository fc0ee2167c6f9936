/**
 * What each event of a recognition makes of its progress, and the messages that it sends. A recognizer's session is one utterance: its results are the whole
 * text so far, across pauses. A transcriber's results belong to one sentence, with a begin and an end, and nothing of earlier sentences is kept: it may run for
 * hours. Pure.
 */

import { errorTable } from "../../errors.js";
import type { SessionEvent, Utterance } from "../../session/events.js";
import { joinTexts } from "../../session/join-text.js";
import type { Language } from "../../text/languages.js";
import { resultNote } from "../result-note.js";
import {
	emptyEnding,
	messageNames,
	messageOf,
	type Progress,
	resultOf,
	spokenLanguageOf,
	withRecording,
} from "./progress.js";
import type { ServerMessage } from "./server-message.js";
import {
	speakerAtBegin,
	speakerAtEnd,
	turnsFrom,
	withTurn,
} from "./speaker-turns.js";

interface Advance {
	readonly progress: Progress;
	readonly messages: readonly ServerMessage[];
}

/** The client ends the sentence (transcriber only). @param isPlaced whoever is named has a place in the audio, which says more. */
export function endSentence(progress: Progress, isPlaced: boolean): Progress {
	const { index, speakerId, isInSentence, ended } = progress;
	return isInSentence && !isPlaced
		? { ...progress, ended: ended ?? { index, speakerId } }
		: progress;
}

/** The client names the speaker from here on (transcriber only). @param fromMs in the audio; undefined if that is unknown: of all that has no result yet. */
export function startSpeaker(
	progress: Progress,
	speakerId: string,
	fromMs = 0,
): Progress {
	const turns = withTurn(progress.turns, { fromMs, speakerId });
	return { ...progress, speakerId, turns };
}

export function advance(before: Progress, event: SessionEvent): Advance {
	const audioMs = event.is === "speech-begin" ? event.atMs : event.audioMs;
	const progress = {
		...before,
		timeMs: Math.max(before.timeMs, audioMs),
		...("language" in event && event.language && identified(event.language)),
	};
	return progress.namespace === "SpeechRecognizer"
		? advanceRecognizer(progress, event)
		: advanceTranscriber(progress, event);
}

function identified(language: Language) {
	return { language, isIdentified: true };
}

function advanceRecognizer(progress: Progress, event: SessionEvent): Advance {
	switch (event.is) {
		case "speech-begin":
			// all finals before it are known: what had no text (a noise, a filler) was not the beginning
			return silent({
				...progress,
				beginMs: progress.text === "" ? event.atMs : progress.beginMs,
			});
		case "wake":
		case "sleep":
			return silent(progress);
		case "partial":
			return show(progress, event.utterance);
		case "final": {
			const shown = show(progress, event.utterance);
			const { text, words } = event.utterance;
			return {
				...shown,
				progress: {
					...shown.progress,
					text: joinTexts([progress.text, text], progress.language),
					finalWords: [...progress.finalWords, ...words],
				},
			};
		}
		case "completed":
			return { progress, messages: [completedRecognition(progress, event)] };
	}
}

function advanceTranscriber(progress: Progress, event: SessionEvent): Advance {
	switch (event.is) {
		case "wake": {
			const { phrase: text, confidence, beginMs } = event;
			const result = { text, confidence, beginMs };
			const message = messageOf(progress, "WakeWordDetected", result);
			return { progress, messages: [message] };
		}
		case "sleep":
			return {
				progress,
				messages: [messageOf(progress, "WaitingForWakeWord")],
			};
		case "speech-begin": {
			const { index, atMs: beginMs } = event;
			const isInSentence = true;
			const next = { ...progress, index, beginMs, isInSentence, shown: "" };
			const speakerId = speakerAtBegin(progress.turns, beginMs);
			const begun = messageOf({ ...next, speakerId }, "SentenceBegin");
			return { progress: next, messages: [begun] };
		}
		case "partial": {
			const shown = show(withItsSpeaker(progress, event), event.utterance);
			const { speakerId } = progress;
			return { ...shown, progress: { ...shown.progress, speakerId } };
		}
		case "final": {
			const { utterance } = event;
			const { index } = utterance;
			const next = { ...progress, index, shown: "" };
			const ended = messageOf(withItsSpeaker(next, event), "SentenceEnd", {
				...resultOf(utterance),
				spoken: utterance.spoken,
				words: progress.words ? utterance.words : null,
			});
			return {
				progress: {
					...next,
					turns: turnsFrom(next.turns, utterance.endMs),
					isInSentence: false,
					ended: undefined,
				},
				messages: [ended],
			};
		}
		case "completed": {
			const message = emptyEnding(progress);
			return { progress, messages: [withRecording(message, event)] };
		}
	}
}

/** A sentence that the client ended keeps its speaker. */
function withItsSpeaker(
	progress: Progress,
	{ utterance }: { readonly utterance: Utterance },
): Progress {
	const { ended, turns } = progress;
	const speakerId =
		ended?.index === utterance.index
			? ended.speakerId
			: speakerAtEnd(turns, utterance.endMs);
	return { ...progress, speakerId };
}

function completedRecognition(
	progress: Progress,
	event: Extract<SessionEvent, { is: "completed" }>,
): ServerMessage {
	const name = messageNames.SpeechRecognizer.completed;
	const message = messageOf(progress, name, {
		text: event.text,
		spoken: event.spoken,
		confidence: event.confidence,
		...spokenLanguageOf(progress),
		words: progress.words ? event.words : null,
	});
	const noted = { ...withRecording(message, event), note: resultNote(event) };
	if (event.why !== "duration") return noted;
	const status = "230003";
	const text = errorTable[status].message;
	return { ...noted, trouble: { status, text } };
}

/** An intermediate result; nothing is sent where the text has not changed. */
function show(progress: Progress, utterance: Utterance): Advance {
	const text = joinTexts([progress.text, utterance.text], progress.language);
	if (!progress.intermediate || text === progress.shown)
		return silent(progress);
	const next = {
		...progress,
		shown: text,
		beginMs: progress.beginMs ?? utterance.beginMs,
	};
	const changed = messageOf(next, messageNames[next.namespace].changed, {
		...resultOf(utterance),
		beginMs: next.beginMs,
		text,
		words: next.intermediateWords
			? [...next.finalWords, ...utterance.words]
			: null,
	});
	return { progress: next, messages: [changed] };
}

function silent(progress: Progress): Advance {
	return { progress, messages: [] };
}
