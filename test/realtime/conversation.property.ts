/** A Realtime client that sends anything in any order, and recognitions that answer when they like. */
import {
	type ClientEvent,
	readEvent,
} from "../../runtime/api/openai/realtime/client-event.js";
import { Conversation } from "../../runtime/api/openai/realtime/conversation.js";
import type { ServerEvent } from "../../runtime/api/openai/realtime/item.js";
import type { Recognitions } from "../../runtime/api/openai/realtime/runs.js";
import { defaultSettings } from "../../runtime/api/openai/realtime/settings.js";
import { CodedError } from "../../runtime/errors.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import { languageRules } from "../../runtime/session/wanted-language.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random } from "../fuzz/random.js";
import { noWords } from "../live/no-words.js";
import { madeUtterance } from "../session/made-utterances.js";
import { transcription } from "./realtime-client.js";

const stepsMax = 40;

/** What a client sends, parsed; or what comes of a recognition. */
type Item =
	| { readonly is: "sent"; readonly message: unknown }
	| { readonly is: "recognized"; readonly event: SessionEvent }
	| { readonly is: "failed"; readonly error: CodedError }
	| { readonly is: "quiet" }
	| { readonly is: "later"; readonly ms: number };

interface Case {
	readonly items: readonly Item[];
	readonly isBeta: boolean;
}

/** The outcome is how many items were committed. */
export const itemsAreAnswered = (): Property<Case> => ({
	name: "realtime/conversation",
	promise:
		"each committed item is completed or fails once, and each commit is answered",
	draw: (random) => ({
		items: Array.from({ length: 1 + below(random, stepsMax) }, () =>
			someItem(random),
		),
		isBeta: random() < 0.3,
	}),
	check({ items, isBeta }) {
		const watch = new Watch(isBeta);
		for (const item of items) watch.take(item);
		watch.end();
		return String(Math.min(5, watch.committed));
	},
});

/** Performs nothing, and sees that the invariants hold. */
class Watch implements Recognitions {
	readonly #conversation: Conversation;
	readonly #runs: { readonly id: number; isFinished: boolean }[] = [];
	readonly #committed = new Map<string, "open" | "over">();
	readonly #over = new Set<string>();
	#lastItem: unknown = null;
	#nowMs = 0;
	#commits = 0;
	#answers = 0;
	#updates = 0;
	#clears = 0;

	constructor(isBeta: boolean) {
		this.#conversation = new Conversation({
			id: "sess_1",
			dialect: isBeta ? "beta" : "ga",
			settings: defaultSettings,
			sources: {
				installed: ["en-US", "ja-JP"],
				languageRules: languageRules("", []),
				wordLists: noWords,
			},
			recognitions: this,
			send: (event) => this.#see(event),
			measure: () => measured,
			nowMs: () => this.#nowMs,
		});
		this.#conversation.begin();
	}

	get committed(): number {
		return this.#committed.size;
	}

	take(item: Item): void {
		const [first] = this.#runs;
		switch (item.is) {
			case "sent":
				this.#send(item.message);
				break;
			case "recognized":
				if (!first || (item.event.is === "completed" && !first.isFinished))
					break;
				if (item.event.is === "completed") this.#runs.shift();
				this.#conversation.onRecognized(first.id, item.event);
				break;
			case "failed":
				if (!first) break;
				this.#runs.shift();
				this.#conversation.onFailed(first.id, item.error);
				break;
			case "quiet":
				if (this.#recognition) this.#conversation.onQuiet(this.#recognition.id);
				break;
			case "later":
				this.#nowMs += item.ms;
		}
		if (this.#conversation.runs !== this.#runs.length)
			throw new Error("a recognition was forgotten");
	}

	/** All that is open ends. */
	end(): void {
		this.#send({ type: "input_audio_buffer.commit" });
		while (this.#runs.length > 0) {
			if (this.#recognition) this.#conversation.onQuiet(this.#recognition.id);
			this.take({ is: "recognized", event: completed("") });
		}
		for (const [id, state] of this.#committed)
			if (state === "open") throw new Error(`${id} has no end`);
		if (this.#answers < this.#commits)
			throw new Error(`${this.#commits} commits, ${this.#answers} answers`);
		if (this.#updates !== 0) throw new Error("an update was not answered");
		if (this.#clears !== 0) throw new Error("a clear was not answered");
		this.#conversation.close();
	}

	open(id: number): void {
		if (this.#recognition) throw new Error("two recognitions take audio");
		this.#runs.push({ id, isFinished: false });
	}

	write(id: number): void {
		if (this.#recognition?.id !== id)
			throw new Error("written to one that is over");
	}

	finish(id: number): void {
		const run = this.#runs.find((it) => it.id === id);
		if (!run || run.isFinished) throw new Error("finished twice");
		run.isFinished = true;
	}

	cancel(id: number): void {
		const at = this.#runs.findIndex((it) => it.id === id);
		if (at < 0) throw new Error("cancelled after its end");
		this.#runs.splice(at, 1);
	}

	get #recognition() {
		return this.#runs.find((it) => !it.isFinished);
	}

	#send(message: unknown): void {
		let event: ClientEvent;
		try {
			event = readEvent(message);
		} catch (thrown) {
			if (!(thrown instanceof CodedError)) throw thrown;
			this.#conversation.refuse(thrown, null);
			return;
		}
		if (event.is === "commit") this.#commits++;
		if (event.is === "update") this.#updates++;
		if (event.is === "clear") this.#clears++;
		this.#conversation.onEvent(event);
	}

	#see(event: ServerEvent): void {
		JSON.stringify(event);
		const id = String(event.item_id);
		if (this.#over.has(id)) throw new Error(`${event.type} after its end`);
		switch (event.type) {
			case "input_audio_buffer.committed":
				if (event.previous_item_id !== this.#lastItem)
					throw new Error("the chain of items is broken");
				this.#lastItem = id;
				this.#committed.set(id, "open");
				this.#answers++;
				break;
			case `${transcription}.delta`:
				if (this.#committed.has(id)) throw new Error("a delta after committed");
				if (event.delta === "") throw new Error("an empty delta");
				break;
			case `${transcription}.completed`:
			case `${transcription}.failed`:
				this.#end(id);
				break;
			case "session.updated":
			case "transcription_session.updated":
				this.#updates = 0;
				break;
			case "input_audio_buffer.cleared":
				this.#clears--;
				break;
			case "error": {
				const { code } = event.error as { code: string };
				if (code === "input_audio_buffer_commit_empty") this.#answers++;
				this.#updates = 0; // a wrong one
			}
		}
	}

	#end(id: string): void {
		if (this.#committed.get(id) !== "open")
			throw new Error("the end of what was not committed");
		this.#committed.set(id, "over");
		this.#over.add(id);
	}
}

const measured = {
	audioBegan: () => {},
	audioEnded: () => {},
	text: () => {},
	final: () => {},
	audioRecognized: () => {},
	ended: () => {},
};

const utterance = (text: string) =>
	madeUtterance(text, { beginMs: 10, endMs: 400 });

function completed(text: string): SessionEvent {
	return {
		is: "completed",
		text,
		confidence: 1,
		words: [],
		audioMs: 100,
		why: "finished",
	};
}

function someItem(random: Random): Item {
	const draw = random();
	if (draw < 0.55) return { is: "sent", message: someMessage(random) };
	if (draw < 0.9) return { is: "recognized", event: someEvent(random) };
	return pick(random, [
		() => ({ is: "quiet" }) as const,
		() => ({ is: "later", ms: below(random, 9000) }) as const,
		() =>
			({
				is: "failed",
				error: new CodedError(pick(random, ["100003", "100004", "200006"])),
			}) as const,
	])();
}

function someMessage(random: Random): unknown {
	const audio = Buffer.alloc(pick(random, [1, 2, 99, 4800, 12_000])).toString(
		"base64",
	);
	return pick(random, [
		() => ({ type: "input_audio_buffer.append", audio }),
		() => ({ type: "input_audio_buffer.append", audio }),
		() => ({ type: "input_audio_buffer.append", audio }),
		() => ({ type: "input_audio_buffer.append", audio: audio.slice(1) }),
		() => ({ type: "input_audio_buffer.commit" }),
		() => ({ type: "input_audio_buffer.commit" }),
		() => ({ type: "input_audio_buffer.clear" }),
		() => ({ type: "session.update", session: someSession(random) }),
		() => ({ type: "session.update", session: someSession(random) }),
		() => ({
			type: "transcription_session.update",
			session: {
				input_audio_format: pick(random, ["pcm16", "g711_alaw", null, 1]),
				turn_detection: someTurns(random),
			},
		}),
		() => ({ type: "response.create", event_id: "a" }),
		() => ({ type: below(random, 9) }),
		() => pick(random, [null, 1, "text", [], {}, { type: "x" }]),
	])();
}

function someSession(random: Random): unknown {
	return pick(random, [
		() => ({
			type: "transcription",
			audio: {
				input: {
					turn_detection: someTurns(random),
					transcription: {
						language: pick(random, ["en", "ja", "de", "", null]),
						delay: pick(random, ["minimal", "low", "high", "xhigh", null]),
					},
				},
			},
		}),
		() => ({ audio: { input: { turn_detection: null } } }),
		() => ({
			audio: { input: { format: { rate: pick(random, [16_000, 8000, 3]) } } },
		}),
		() => pick(random, [{}, null, 1, { type: "realtime" }, { audio: 1 }]),
	])();
}

function someTurns(random: Random): unknown {
	return pick(random, [
		null,
		{ type: "server_vad", silence_duration_ms: 1e9 },
		{ type: "semantic_vad", eagerness: "low" },
		{ threshold: "loud" },
	]);
}

function someEvent(random: Random): SessionEvent {
	const text = pick(random, ["", "a", "a b", "a b c.", "xyz", "今日は"]);
	return pick<() => SessionEvent>(random, [
		() => ({ is: "speech-begin", index: 1, atMs: 10 }),
		() => ({
			is: "partial",
			utterance: utterance(text),
			stable: below(random, text.length + 1),
			audioMs: 100,
		}),
		() => ({ is: "final", utterance: utterance(text), audioMs: 100 }),
		() => completed(text),
	])();
}
