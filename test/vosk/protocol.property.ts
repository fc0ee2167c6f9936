/** A Vosk peer that sends anything in any order, cut anywhere, and a recognizer that answers when it likes. */
import {
	WebSocketDecoder,
	WebSocketError,
} from "../../runtime/api/listeners/web-socket-decoder.js";
import {
	binaryControl,
	readMessage,
} from "../../runtime/api/vosk/client-message.js";
import { begin, mustWait, step } from "../../runtime/api/vosk/protocol.js";
import type {
	Effect,
	Event,
	ProtocolContext,
	State,
} from "../../runtime/api/vosk/protocol-states.js";
import { asCodedError, CodedError } from "../../runtime/errors.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random } from "../fuzz/random.js";
import { noWords } from "../live/no-words.js";
import { completed, failed, final, partial } from "../live/protocol-cases.js";

const eventsMax = 24;
const context: ProtocolContext = {
	language: () => ({ language: "en-US" }),
	wordLists: noWords,
};

/** Bytes of frames, or something that happens behind the protocol. */
type Item = Uint8Array | Event;

interface Case {
	readonly items: readonly Item[];
	/** Pieces that the bytes come in. */
	readonly pieceBytes: number;
}

/** The outcome is the state at the end. */
export const messagesAreAnswered = (): Property<Case> => ({
	name: "vosk/protocol",
	promise:
		"each audio message, eof and reset is answered once, no sentence is lost or sent twice, and no recognition is left",
	draw: (random) => ({
		items: Array.from({ length: 1 + below(random, eventsMax) }, () =>
			someItem(random),
		),
		pieceBytes: 1 + below(random, 40),
	}),
	check({ items, pieceBytes }) {
		const watch = new Watch();
		for (const item of items) {
			if (!(item instanceof Uint8Array)) watch.accept(item);
			else
				for (let at = 0; at < item.length; at += pieceBytes)
					watch.bytes(item.subarray(at, at + pieceBytes));
			watch.read();
		}
		const before = watch.state.is;
		watch.accept({ is: "gone" });
		if (watch.isOpen) throw new Error("gone, and a recognition is left");
		return before;
	},
});

/** Performs nothing, and sees that the protocol's invariants hold. */
class Watch {
	state: State = begin();
	isOpen = false;
	readonly #decoder = new WebSocketDecoder();
	#isBroken = false;
	#requests = 0;
	#answers = 0;
	#finals = 0;
	#sent = 0;

	bytes(bytes: Uint8Array): void {
		if (this.#isBroken) return;
		this.#decoder.accept(bytes);
		this.read();
	}

	read(): void {
		while (this.state.is !== "over" && !mustWait(this.state))
			if (!this.#readOne()) return;
	}

	accept(event: Event): void {
		const before = this.state;
		const takesText = before.is === "streaming" || before.is === "finishing";
		if (event.is === "recognized" && takesText && event.event.is === "final")
			this.#finals++;
		const { state, effects } = step(context, before, event);
		if (before.is === "over" && effects.length > 0)
			throw new Error(`${event.is} had an effect after the end`);
		this.state = state;
		for (const effect of effects) this.#see(effect);
		if (this.isOpen && state.is === "idle")
			throw new Error("a recognition is left");
		if (state.is === "over" || mustWait(state)) return;
		if (this.#answers !== this.#requests)
			throw new Error(`${this.#answers} answers to ${this.#requests} messages`);
		if (this.#sent + state.sentences.length !== this.#finals)
			throw new Error(`${this.#sent} of ${this.#finals} sentences were sent`);
	}

	#readOne(): boolean {
		try {
			const message = this.#isBroken ? undefined : this.#decoder.next();
			if (!message) return false;
			if (message.is === "text") this.#onText(message.text);
			if (message.is === "binary") this.#onBinary(message.bytes);
			if (message.is === "close") this.accept({ is: "gone" });
			return true;
		} catch (error) {
			if (!(error instanceof WebSocketError)) throw error;
			this.#isBroken = true;
			this.accept({ is: "gone" });
			return false;
		}
	}

	#onText(text: string): void {
		let event: Event;
		try {
			event = { is: "message", message: readMessage(text) };
		} catch (error) {
			event = { is: "bad-message", error: asCodedError(error) };
		}
		if (event.is === "message" && event.message.is !== "config")
			this.#requests++;
		this.accept(event);
	}

	#onBinary(bytes: Buffer): void {
		const message = binaryControl(bytes);
		this.#requests++;
		this.accept(message ? { is: "message", message } : { is: "audio", bytes });
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
			case "note":
				this.isOpen = false;
				return;
			case "send": {
				this.#answers++;
				const { text = "" } = JSON.parse(effect.text) as { text?: string };
				this.#sent += text === "" ? 0 : text.split(" ").length;
			}
		}
	}
}

function someItem(random: Random): Item {
	if (random() < 0.35) return someEvent(random);
	return pick(random, [
		() => frame(random, 2, Buffer.alloc(below(random, 60))),
		() => frame(random, 2, Buffer.alloc(64)),
		() => frame(random, 1, Buffer.from('{"config":{"sample_rate":16000}}')),
		() => frame(random, 1, Buffer.from('{"config":{"words":0}}')),
		() => frame(random, pick(random, [1, 2]), Buffer.from('{"reset":1}')),
		() => frame(random, pick(random, [1, 2]), Buffer.from('{"eof" : 1}')),
		() => frame(random, 9, Buffer.from("é")),
		() => frame(random, 0, Buffer.from("rest")),
		() => frame(random, 1, Buffer.from(pick(random, ["{", "7", "é", "{}"]))),
		() => Buffer.of(below(random, 256), below(random, 256)),
	])();
}

/** Masked, in one piece or in fragments with a ping between. */
function frame(random: Random, opcode: number, payload: Buffer): Buffer {
	if (opcode >= 8 || opcode === 0 || random() < 0.6)
		return piece(random, 0x80 | opcode, payload);
	const cut = below(random, payload.length + 1);
	return Buffer.concat([
		piece(random, opcode, payload.subarray(0, cut)),
		piece(random, 0x89, Buffer.alloc(0)),
		piece(random, 0x80, payload.subarray(cut)),
	]);
}

function piece(random: Random, first: number, payload: Buffer): Buffer {
	const mask = Buffer.from([1, 2, 3, 4].map(() => below(random, 256)));
	return Buffer.concat([
		Buffer.of(first, 0x80 | payload.length),
		mask,
		payload.map((byte, i) => byte ^ (mask[i % 4] as number)),
	]);
}

function someEvent(random: Random): Event {
	return pick(random, [
		{ is: "opened" },
		{ is: "late" },
		{ is: "refused", error: new CodedError("100004") },
		partial(1, "ab"),
		final(1, "ab."),
		final(2, "cd."),
		completed(),
		failed("100003"),
		{ is: "shutdown" },
	] as const) as Event;
}
