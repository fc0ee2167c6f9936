import t from "tap";
import { readMessage } from "../../runtime/api/live/client-message.js";
import type { Event } from "../../runtime/api/live/protocol-states.js";
import { CodedError } from "../../runtime/errors.js";
import { seededRandom } from "../features/seeded-random.js";
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
import { type Dice, pick, randomText } from "./random-texts.js";

const sequences = 25_000;
const eventsMax = 24;

t.test(
	`${sequences} random sessions keep the protocol's promises`,
	async (t) => {
		const { random, seed } = seededRandom();
		t.comment(`seed ${seed}`);
		const dice = { random };
		const endings = new Map<string, number>();
		for (let sequence = 0; sequence < sequences; sequence++) {
			const events = randomEvents(dice);
			const where =
				random() < 0.2
					? { ...setting, namespaces: ["SpeechTranscriber"] as const }
					: setting;
			try {
				const { state, sent } = run([...events, gone], where);
				if (state.is !== "over") throw new Error("gone, and not over");
				const last = sent.find(isEnd);
				const ending = last
					? `${last.name} ${last.trouble?.status ?? ""}`
					: "gone";
				endings.set(ending, (endings.get(ending) ?? 0) + 1);
			} catch (error) {
				t.fail(`sequence ${sequence}: ${(error as Error).message}`, { events });
				return;
			}
		}
		t.comment(JSON.stringify(Object.fromEntries(endings)));
		for (const often of [
			"RecognitionCompleted ",
			"RecognitionCompleted 230003",
			"TranscriptionCompleted ",
			"TaskFailed 230001",
			"TaskFailed 230004",
			"gone",
		])
			t.ok((endings.get(often) ?? 0) > 20, `reached: ${often}`);
	},
);

/** Most get as far as a running session. */
function randomEvents(dice: Dice): Event[] {
	const length = 1 + Math.floor(dice.random() * eventsMax);
	const events = Array.from({ length }, () => randomEvent(dice));
	if (dice.random() < 0.3) return events;
	const namespace = pick(dice, [
		"SpeechRecognizer",
		"SpeechTranscriber",
	] as const);
	const calm = events.filter(
		(it) => it.is !== "message" && it.is !== "bad-message",
	);
	return [start(namespace), opened, ...(dice.random() < 0.7 ? calm : events)];
}

/** Times and indexes go on at random, also backwards: what is told must not. */
function randomEvent(dice: Dice): Event {
	const luck = dice.random();
	if (luck < 0.45) return textEvent(randomText(dice));
	if (luck < 0.65) return opened;
	const index = 1 + Math.floor(dice.random() * 3);
	const ms = Math.floor(dice.random() * 9000);
	return pick(dice, [
		audio,
		audio,
		audio,
		noAudio,
		speechBegin(index),
		partial(index, pick(dice, ["", "a", "ab"]), ms),
		final(index, pick(dice, ["", "ab."]), ms),
		completed(pick(dice, ["finished", "duration", "suffix-silence"])),
		failed(pick(dice, ["100003", "200006", "200007", "230004"])),
		refused,
		late,
		unread,
		shutdown,
		gone,
	]);
}

function textEvent(text: string): Event {
	try {
		return { is: "message", message: readMessage(text) };
	} catch (error) {
		if (error instanceof CodedError) return { is: "bad-message", error };
		throw error;
	}
}
