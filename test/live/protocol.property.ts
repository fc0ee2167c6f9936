/** Sessions with a client, a server and a recognizer that do anything in any order. */
import type { Event } from "../../runtime/api/live/protocol-states.js";
import { readText } from "../../runtime/api/live/text-reader.js";
import { CodedError } from "../../runtime/errors.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random } from "../fuzz/random.js";
import {
	audio,
	completed,
	failed,
	final,
	gone,
	isEnd,
	late,
	noAudio,
	opened,
	partial,
	refused,
	run,
	setting,
	shutdown,
	speechBegin,
	start,
	unread,
} from "./protocol-cases.js";
import { randomText } from "./random-texts.js";

const eventsMax = 24;

interface Case {
	readonly events: readonly Event[];
	readonly transcribesOnly: boolean;
}

/** The outcome is how a session ended for the client. */
export const promisesAreKept = (): Property<Case> => ({
	name: "live/protocol",
	promise: "whatever comes, in any order: the protocol's promises are kept",
	draw: (random) => ({
		events: someEvents(random),
		transcribesOnly: random() > 0.8,
	}),
	check({ events, transcribesOnly }) {
		const where = transcribesOnly
			? { ...setting, namespaces: ["SpeechTranscriber"] as const }
			: setting;
		const { state, sent } = run([...events, gone], where);
		if (state.is !== "over") throw new Error("gone, and not over");
		const last = sent.find(isEnd);
		return last ? `${last.name} ${last.trouble?.status ?? ""}` : "gone";
	},
});

/** Most runs get as far as a running session. */
function someEvents(random: Random): Event[] {
	const length = 1 + below(random, eventsMax);
	const events = Array.from({ length }, () => someEvent(random));
	if (random() < 0.3) return events;
	const namespace = pick(random, [
		"SpeechRecognizer",
		"SpeechTranscriber",
	] as const);
	const calm = events.filter(
		(it) => it.is !== "message" && it.is !== "bad-message",
	);
	return [start(namespace), opened, ...(random() < 0.7 ? calm : events)];
}

/** Times and indexes are random and may decrease: those sent must not. */
function someEvent(random: Random): Event {
	const luck = random();
	if (luck < 0.45) return textEvent(randomText(random));
	if (luck < 0.65) return opened;
	const index = 1 + below(random, 3);
	const ms = below(random, 9000);
	return pick(random, [
		audio,
		audio,
		audio,
		noAudio,
		speechBegin(index),
		partial(index, pick(random, ["", "a", "ab"]), ms),
		final(index, pick(random, ["", "ab."]), ms),
		completed(pick(random, ["finished", "duration", "suffix-silence"])),
		failed(pick(random, ["100003", "200006", "200007", "230004"])),
		refused,
		late,
		unread,
		shutdown,
		gone,
	]);
}

function textEvent(text: string): Event {
	const events: Event[] = [];
	void readText(
		text,
		(message) => events.push({ is: "message", message }),
		(error) => {
			if (!(error instanceof CodedError)) throw error;
			events.push({ is: "bad-message", error });
		},
	);
	const [event] = events;
	if (!event) throw new Error("so short a text is read at once");
	return event;
}
