/** What a Wyoming peer is sent of its recognition (protocol.ts): when speech begins and ends, each final as a chunk, and the transcript. Pure. */
import { successStatus } from "../../errors.js";
import type { SessionEvent } from "../../session/events.js";
import { joinTexts } from "../../session/join-text.js";
import { afterTurn, note, type WithTurn } from "./protocol-endings.js";
import { type Step, stay } from "./protocol-states.js";
import {
	send,
	transcript,
	transcriptStart,
	voiceStopped,
} from "./sent-effects.js";

export function onRecognized(before: WithTurn, event: SessionEvent): Step {
	const state = inLanguageOf(event, before);
	const { turn } = state;
	switch (event.is) {
		case "speech-begin":
			if (turn.isSpeaking) return stay(state);
			return stay(
				{ ...state, turn: { ...turn, isSpeaking: true } },
				send("voice-started", { timestamp: event.atMs }),
			);
		case "final":
			return onFinal(state, event.utterance);
		case "completed":
			return afterTurn(state, [
				...voiceStopped(turn, event.audioMs),
				...transcript(turn.language, event.text, turn.chunked),
				note(successStatus, event.audioMs),
			]);
		default: // partials, which are not asked for
			return stay(state);
	}
}

/** The state with the language that was identified. */
function inLanguageOf(event: SessionEvent, state: WithTurn): WithTurn {
	if (!("language" in event) || !event.language) return state;
	return { ...state, turn: { ...state.turn, language: event.language } };
}

function onFinal(
	state: WithTurn,
	{ text, endMs }: { readonly text: string; readonly endMs: number },
): Step {
	const { turn } = state;
	const texts = text === "" ? turn.texts : [...turn.texts, text];
	const whole = joinTexts(texts, turn.language);
	const chunk = whole.slice(turn.chunked.length);
	const starts = turn.chunked === "" && chunk !== "";
	return stay(
		{
			...state,
			turn: { ...turn, texts, chunked: whole, isSpeaking: false },
		},
		...voiceStopped(turn, endMs),
		...(starts ? [transcriptStart(turn.language)] : []),
		...(chunk === "" ? [] : [send("transcript-chunk", { text: chunk })]),
	);
}
