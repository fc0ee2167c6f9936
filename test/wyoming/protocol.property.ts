/** A Wyoming peer that sends anything in any order, cut anywhere, and a recognizer that answers when it likes. */
import { encodeFrame, type Frame } from "../../runtime/api/wyoming/frame.js";
import {
	FrameDecoder,
	FrameError,
	objectOf,
} from "../../runtime/api/wyoming/frame-decoder.js";
import { begin, mustWait, step } from "../../runtime/api/wyoming/protocol.js";
import type {
	Effect,
	Event,
	ProtocolContext,
	State,
} from "../../runtime/api/wyoming/protocol-states.js";
import { CodedError } from "../../runtime/errors.js";
import { languageRules } from "../../runtime/session/wanted-language.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random } from "../fuzz/random.js";
import { noWords } from "../live/no-words.js";
import {
	completed,
	failed,
	final,
	speechBegin,
} from "../live/protocol-cases.js";
import { frame, pcm } from "./wyoming-client.js";

const eventsMax = 24;
const context: ProtocolContext = {
	languages: ["en-US", "ja-JP"],
	defaultLanguage: "en-US",
	languageRules: () => languageRules("", []),
	wordLists: noWords,
	endpointing: true,
	info: () => ({ type: "info" }),
};

/** Bytes of a frame, or something that happens behind the protocol. */
type Item = Uint8Array | Event;

interface Case {
	readonly items: readonly Item[];
	/** Pieces that the bytes come in. */
	readonly pieceBytes: number;
}

/** The outcome is the state at the end. */
export const turnsAreAnswered = (): Property<Case> => ({
	name: "wyoming/protocol",
	promise: "each audio-stop is answered once, and no recognition is left",
	draw: (random) => ({
		items: Array.from({ length: 1 + below(random, eventsMax) }, () =>
			someItem(random),
		),
		pieceBytes: 1 + below(random, 40),
	}),
	check({ items, pieceBytes }) {
		const watch = new Watch();
		const decoder = new FrameDecoder();
		for (const item of items)
			if (item instanceof Uint8Array)
				for (let at = 0; at < item.length; at += pieceBytes) {
					decoder.accept(item.subarray(at, at + pieceBytes));
					watch.read(decoder);
				}
			else {
				watch.accept(item as Event);
				watch.read(decoder);
			}
		const before = watch.state.is;
		watch.accept({ is: "gone" });
		if (watch.isOpen) throw new Error("gone, and a recognition is left");
		return before;
	},
});

/** Performs nothing, and sees that the protocol's invariants hold. */
class Watch {
	state: State = begin(context);
	isOpen = false;
	#waiting: Frame | undefined;
	#stops = 0;
	#answers = 0;

	read(decoder: FrameDecoder): void {
		while (this.state.is !== "over") {
			const next = this.#waiting ?? this.#next(decoder);
			if (!next) return;
			if (mustWait(this.state, next)) {
				this.#waiting = next;
				return;
			}
			this.#waiting = undefined;
			if (next.type === "audio-stop") this.#stops++;
			this.accept({ is: "frame", frame: next });
		}
	}

	accept(event: Event): void {
		const before = this.state;
		const { state, effects } = step(context, before, event);
		if (before.is === "over" && effects.length > 0)
			throw new Error(`${event.is} had an effect after the end`);
		this.state = state;
		for (const effect of effects) this.#see(effect);
		if (this.isOpen && (state.is === "idle" || state.is === "answered"))
			throw new Error(`a recognition is left in ${state.is}`);
		if (state.is === "idle" && this.#answers < this.#stops)
			throw new Error("an audio-stop was not answered");
	}

	#next(decoder: FrameDecoder): Frame | undefined {
		try {
			const whole = decoder.next();
			if (!whole) return undefined;
			const { type, inline, block, payload } = whole;
			const data = block === undefined ? {} : objectOf(block, "data");
			return { type, data: { ...inline, ...data }, payload };
		} catch (error) {
			if (!(error instanceof FrameError)) throw error;
			const coded = new CodedError("200003", error.message);
			this.accept({
				is: "bad-frame",
				error: coded,
				isReported: error.isReported,
			});
			return undefined;
		}
	}

	#see(effect: Effect): void {
		switch (effect.do) {
			case "open":
				if (this.isOpen) throw new Error("opened twice");
				this.isOpen = true;
				return;
			case "write":
			case "finish":
				if (!this.isOpen) throw new Error(`${effect.do} without recognition`);
				return;
			case "cancel":
				this.isOpen = false;
				return;
			case "send": {
				const { type } = effect.frame;
				encodeFrame(effect.frame);
				if (type === "transcript" || type === "error") this.#answers++;
				if (type === "transcript") this.isOpen = false;
			}
		}
	}
}

function someItem(random: Random): Item {
	if (random() < 0.3) return someEvent(random);
	return pick(random, [
		() => frame("audio-chunk", pcm, new Uint8Array(below(random, 100))),
		() => frame("audio-chunk", pcm, new Uint8Array(64)),
		() => frame("audio-stop"),
		() => frame("audio-stop"),
		() => frame("audio-start", pcm),
		() => frame("transcribe", { language: pick(random, ["en", "ja", "de"]) }),
		() => frame("ping", { text: "é" }),
		() => frame("describe"),
		() =>
			frame(
				"audio-chunk",
				{ ...pcm, width: below(random, 6) },
				new Uint8Array(12),
			),
		() =>
			Buffer.from(pick(random, ["\n", "{}\n", '{"type":"ping"}\n', '{"type"'])),
	])();
}

function someEvent(random: Random): Event {
	const event = pick(random, [
		{ is: "opened" },
		{ is: "late" },
		{ is: "refused", error: new CodedError("100004") },
		speechBegin(1),
		final(1, "ab."),
		completed(),
		completed("suffix-silence"),
		failed("100003"),
		{ is: "ended" },
		{ is: "shutdown" },
	] as const);
	return event as Event;
}
