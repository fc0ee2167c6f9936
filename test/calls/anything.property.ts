/** Telephone systems that send anything in any order, cut anywhere, beside engines that refuse and die: nothing is thrown, sent after the end, or left behind. */
import { AudioSocketSession } from "../../runtime/api/audiosocket/audiosocket-session.js";
import {
	type CallOptionSources,
	callOptionNames,
} from "../../runtime/api/calls/call-options.js";
import { CallSession } from "../../runtime/api/calls/call-session.js";
import { unmeasured } from "../../runtime/api/metrics/endpoints.js";
import { Calls } from "../../runtime/calls/calls.js";
import { CodedError } from "../../runtime/errors.js";
import { loggerTo } from "../../runtime/log/log.js";
import { languageRules } from "../../runtime/session/wanted-language.js";
import { FakeLane } from "../api/fake-lane.js";
import type { Property } from "../fuzz/property.js";
import { below, pick, type Random } from "../fuzz/random.js";
import { noWords } from "../live/no-words.js";
import { final, loud } from "./running-calls.js";

const itemsMax = 24;
const log = loggerTo({ write: () => {} }, "fatal");
const sources: CallOptionSources = {
	languages: ["en-US", "ja-JP"],
	languageRules: () => languageRules("", []),
	wordLists: noWords,
};
const owner = "token:pbx";

type Item =
	| { readonly is: "text"; readonly text: string }
	| { readonly is: "bytes"; readonly bytes: Uint8Array }
	/** Something that happens to what is recognized. */
	| {
			readonly is: "final" | "dies" | "refuses" | "serves" | "drains" | "turn";
	  };

interface Case {
	readonly query: string;
	readonly hasToken: boolean;
	readonly isPublic: boolean;
	readonly items: readonly Item[];
}

export const callsLeaveNothing = (): Property<Case> => ({
	name: "calls/websocket",
	promise: "whatever a telephone system sends, its legs leave with it",
	draw: (random) => ({
		query: below(random, 2) === 0 ? "" : someQuery(random),
		hasToken: random() < 0.8,
		isPublic: random() < 0.5,
		items: Array.from({ length: below(random, itemsMax) }, () =>
			someItem(random, () => ({ is: "text", text: someText(random) })),
		),
	}),
	async check({ query, hasToken, isPublic, items }) {
		const watch = new Watch();
		let isClosed = false;
		let isOver = false;
		const session = new CallSession(
			{
				calls: watch.calls,
				sources,
				query,
				isPublic,
				log,
				caller: hasToken ? { owner, sharer: owner } : undefined,
				identify: (token) => {
					if (token !== "right") throw new CodedError("110002");
					return { owner, sharer: owner };
				},
				partials: false,
				startSeconds: 10,
				unreadBytesMax: 1 << 20,
				measured: unmeasured,
				onOver: () => {
					isOver = true;
				},
			},
			{
				send: (text) => {
					if (isClosed) throw new Error("sent after the close");
					JSON.parse(text);
				},
				started: () => {},
				unreadBytes: 0,
				hold: () => {},
				release: () => {},
				close: () => {
					if (isClosed) throw new Error("closed twice");
					isClosed = true;
				},
			},
		);
		for (const item of items) {
			if (isClosed) break; // a socket tells nothing after its close
			if (item.is === "text") session.onText(item.text);
			else if (item.is === "bytes") session.onBinary(item.bytes);
			else await watch.happen(item.is);
		}
		isClosed = true;
		session.onClosed();
		await watch.end(() => isOver);
		return isOver ? "over" : undefined;
	},
});

interface SocketCase {
	readonly items: readonly Item[];
	readonly pieceBytes: number;
}

export const audioSocketsLeaveNothing = (): Property<SocketCase> => ({
	name: "calls/audiosocket",
	promise: "whatever Asterisk sends, nothing is sent back and its leg leaves",
	draw: (random) => ({
		items: Array.from({ length: below(random, itemsMax) }, () =>
			someItem(random, () => ({ is: "bytes", bytes: someFrame(random) })),
		),
		pieceBytes: 1 + below(random, 400),
	}),
	async check({ items, pieceBytes }) {
		const watch = new Watch();
		let closes = 0;
		const session = new AudioSocketSession(
			{
				calls: watch.calls,
				sources,
				log,
				language: "auto",
				partials: false,
				caller: owner,
				measured: unmeasured,
			},
			{
				address: "127.0.0.1",
				send: () => {
					throw new Error("something was sent back");
				},
				unreadBytes: 0,
				hold: () => {},
				release: () => {},
				close: () => {
					closes++;
				},
			},
		);
		for (const item of items)
			if (item.is === "bytes")
				for (let at = 0; at < item.bytes.length; at += pieceBytes)
					session.onBytes(item.bytes.subarray(at, at + pieceBytes));
			else if (item.is !== "text") await watch.happen(item.is);
		session.onClosed();
		await watch.end(() => true);
		return closes > 0 ? "closed" : "open";
	},
});

/** Calls on a lane that does what the case says. */
class Watch {
	readonly lane = new FakeLane();
	#begun = new Set<string>();
	#finished = new Set<string>();
	readonly calls = new Calls({
		lane: this.lane,
		tasks: {
			begin: async ({ id }) => {
				if (this.#begun.has(id)) throw new Error("begun twice");
				this.#begun.add(id);
			},
			add: async (id) => {
				if (!this.#begun.has(id)) throw new Error("added before it was begun");
				if (this.#finished.has(id)) throw new Error("added after its end");
			},
			finish: async (id) => {
				if (this.#finished.has(id)) throw new Error("finished twice");
				this.#finished.add(id);
			},
		},
		silentSeconds: 10,
		returnSeconds: 0,
		log: { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} },
	});

	async happen(what: string): Promise<void> {
		const last = this.lane.opened.at(-1);
		if (what === "final") last?.emit(final("Said.", 0));
		if (what === "dies") last?.fail(new CodedError("230004"));
		if (what === "drains") last?.drain();
		if (what === "refuses")
			this.lane.behaviour = { refuse: new CodedError("100004") };
		if (what === "serves") this.lane.behaviour = {};
		await new Promise((turn) => setImmediate(turn));
	}

	async end(isOver: () => boolean): Promise<void> {
		this.lane.behaviour = {};
		for (let turns = 0; this.lane.held > 0 || !isOver(); turns++) {
			if (turns > 2000) throw new Error("a recognition, or a leg, is left");
			await new Promise((turn) =>
				turns < 50 ? setImmediate(turn) : setTimeout(turn, 2),
			);
		}
		await this.calls.stop();
		if (this.calls.size > 0) throw new Error("a call is left");
		for (const id of this.#begun)
			if (!this.#finished.has(id)) throw new Error("a task is not finished");
	}
}

function someItem(random: Random, own: () => Item): Item {
	const chance = random();
	if (chance < 0.3) return { is: "bytes", bytes: loud(below(random, 4000)) };
	if (chance < 0.75) return own();
	return {
		is: pick(random, [
			"final",
			"final",
			"dies",
			"refuses",
			"serves",
			"drains",
			"turn",
		] as const),
	};
}

const someQuery = (random: Random) =>
	new URLSearchParams(
		Array.from({ length: below(random, 4) }, (): [string, string] => [
			pick(random, callOptionNames),
			pick(random, ["1", "2", "8000", "mulaw", "ja", "auto", "true", "x y"]),
		]),
	).toString();

function someText(random: Random): string {
	return pick(random, [
		'{"type":"start","language":"ja","sampleRateHz":16000,"interimResults":true}',
		'{"type":"start","language":"xx","sampleRateHz":"y"}',
		'{"type":"stop"}',
		"MEDIA_START connection_id:m channel:c format:ulaw optimal_frame_size:160",
		"MEDIA_START format:opus",
		'{"event":"MEDIA_START","format":"slin16","channel_id":"1.2"}',
		"MEDIA_XON",
		'{"call":"c","leg":"1","rate":8000,"channels":2}',
		'{"event":"connected"}',
		'{"event":"start","start":{"callSid":"CA1","customParameters":{"token":"right"}}}',
		'{"event":"start","start":{"callSid":"CA1","customParameters":{"token":"wrong"}}}',
		'{"event":"media","media":{"track":"outbound","payload":"gICAgAAAAAA="}}',
		'{"event":"media","media":{"track":"inbound","payload":"gICA"}}',
		'{"event":"media","media":{"payload":"%%%"}}',
		'{"event":"stop"}',
		"{",
		"",
		"[]",
		"null",
		'{"__proto__":{"call":"x"}}',
	]);
}

function someFrame(random: Random): Uint8Array {
	const payload = pick(random, [
		() => new Uint8Array(16).fill(below(random, 3)),
		() => loud(below(random, 700)),
		() => new Uint8Array(below(random, 20)),
	])();
	const kind = pick(
		random,
		[0x01, 0x01, 0x10, 0x10, 0x12, 0x18, 0x03, 0x00, 0xff, 0x42],
	);
	const length =
		random() < 0.9 ? payload.length : below(random, payload.length + 5);
	return Buffer.concat([
		Buffer.from([kind, length >> 8, length & 255]),
		payload,
	]);
}
