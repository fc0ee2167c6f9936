/** What tests send to a microphone of fake-source.ts, wait for and read from its events. */
import type { MicrophoneEvent } from "../../runtime/microphones/microphone-events.js";
import type { Utterance } from "../../runtime/session/events.js";
import { madeUtterance } from "../session/made-utterances.js";

/** Of one second. */
export const utterance = (
	index: number,
	text: string,
	beginMs = 0,
): Utterance => madeUtterance(text, { index, beginMs, endMs: beginMs + 1000 });

/** One turn of the event loop. */
export const turn = () => new Promise<void>((done) => setImmediate(done));

/** Of a microphone's state events. */
export const phases = (events: readonly MicrophoneEvent[]) =>
	events.flatMap((it) => (it.is === "state" ? [it.state.phase] : []));

/** Index and text of each final. */
export const finals = (events: readonly MicrophoneEvent[]) =>
	events.flatMap((it) =>
		it.is === "final" ? [`${it.utterance.index} ${it.utterance.text}`] : [],
	);

export const bytesOf = (chunks: readonly Uint8Array[]) =>
	chunks.reduce((sum, it) => sum + it.length, 0);
