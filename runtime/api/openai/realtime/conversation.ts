/**
 * One Realtime session: what clients send, what recognitions find, and what is answered. It has no socket, no timer and no clock of its own.
 *
 * INVARIANTS
 * - Recognitions follow each other; at most one takes audio. A commit ends it, so the end of a recognition is the answer to a commit, whatever is in the queue.
 * - Each item that is committed is completed or fails, exactly once, and items end in the order of their audio.
 * - Each commit is answered by an item, or by the error that there was too little audio.
 * - A failed recognition fails its item only; the next audio opens another one.
 */
import {
	asCodedError,
	CodedError,
	duringRecognition,
} from "../../../errors.js";
import type { SessionEvent } from "../../../session/events.js";
import { openAiError } from "../error.js";
import { Arrivals } from "./arrivals.js";
import type { ClientEvent } from "./client-event.js";
import { InputAudioBuffer } from "./input-audio-buffer.js";
import type { Item } from "./item.js";
import { ItemAnswers, type ItemAnswersParts } from "./item-answers.js";
import { ManualTurns } from "./manual-turns.js";
import { type Recognitions, Runs } from "./runs.js";
import { Sentences } from "./sentences.js";
import { sessionObject } from "./session-object.js";
import {
	type Dialect,
	type RealtimeSettings,
	realtimeRecognitionOf,
} from "./settings.js";
import { updatedSettings } from "./settings-update.js";

export interface ConversationParts extends ItemAnswersParts {
	readonly id: string;
	readonly dialect: Dialect;
	readonly settings: RealtimeSettings;
	readonly recognitions: Recognitions;
}

export class Conversation {
	readonly #parts: ConversationParts;
	readonly #runs: Runs;
	readonly #arrivals = new Arrivals();
	readonly #answers: ItemAnswers;
	readonly #sentences: Sentences;
	readonly #turns: ManualTurns;
	readonly #buffer: InputAudioBuffer;
	/** The first update may change it. */
	#isDialectOpen: boolean;
	#settings: RealtimeSettings;

	constructor(parts: ConversationParts) {
		this.#parts = parts;
		this.#runs = new Runs(parts.recognitions);
		this.#answers = new ItemAnswers(parts, parts.dialect);
		this.#sentences = new Sentences(
			this.#answers,
			this.#arrivals,
			() => this.#buffer.audioMs,
		);
		this.#turns = new ManualTurns(this.#answers, this.#arrivals, ({ item }) =>
			this.#runs.all.some((it) => !it.turn && it.beginMs < item.beginMs),
		);
		this.#buffer = new InputAudioBuffer({
			sources: parts.sources,
			runs: this.#runs,
			arrivals: this.#arrivals,
			answers: this.#answers,
			turns: this.#turns,
			nowMs: parts.nowMs,
		});
		this.#isDialectOpen = parts.dialect === "ga";
		this.#settings = parts.settings;
	}

	/** The server speaks first. */
	begin(): void {
		this.#sendSession("created");
	}

	/** Recognitions that have not ended. */
	get runs(): number {
		return this.#runs.size;
	}

	onEvent(event: ClientEvent): void {
		switch (event.is) {
			case "update":
				this.#update(event);
				return;
			case "append":
				this.#buffer.append(event.bytes, this.#settings);
				return;
			case "commit":
				this.#commit(event.eventId);
				return;
			case "clear":
				this.#buffer.clear();
				return;
			case "unsupported":
				this.refuse(
					new CodedError(
						"200002",
						`a transcription session has no ${event.type}`,
						{ param: "type", code: "unsupported_event" },
					),
					event.eventId,
				);
				return;
			case "unknown":
		}
	}

	/** Tells the client of a mistake; the session goes on. @param eventId of its event, where it has one. */
	refuse(error: CodedError, eventId: string | null): void {
		this.#parts.send({
			type: "error",
			error: { ...openAiError(error), event_id: eventId },
		});
	}

	onRecognized(id: number, event: SessionEvent): void {
		const run = this.#runs.find(id);
		if (!run) return;
		if (event.is === "completed") this.#runs.remove(id);
		if (run.turn) {
			this.#turns.onEvent(run, run.turn, event);
			if (event.is === "completed") this.#sentences.answerCommits(run);
		} else this.#sentences.onEvent(run, event);
		this.#turns.announce();
		if (event.is === "final" && run.endsWithItem) this.#runs.finish(run);
		if (this.#runs.size === 0) this.#arrivals.forget();
	}

	/** No slot was free, or the recognition broke off. */
	onFailed(id: number, thrown: CodedError): void {
		const run = this.#runs.remove(id);
		if (!run) return;
		const error = duringRecognition(thrown);
		this.#buffer.onFailed(error);
		if (run.turn) {
			run.turn.fail(error);
			this.#turns.settle(run.turn);
			this.#sentences.answerCommits(run);
		} else this.#sentences.fail(run, error, error.status === "100004");
		this.#turns.announce();
	}

	/** No audio came for a while: the slot is given back. */
	onQuiet(id: number): void {
		const run = this.#runs.find(id);
		if (run) this.#runs.finish(run);
	}

	/** The connection is closed. */
	close(): void {
		for (const item of this.#openItems()) item.measured.ended("gone");
	}

	*#openItems(): Generator<Item> {
		const appended = this.#buffer.turn;
		if (appended) yield appended.item;
		for (const { item, turn } of this.#runs.all) {
			if (item) yield item;
			if (turn && turn !== appended) yield turn.item;
		}
	}

	#update({ eventId, dialect, session }: ClientEvent & { is: "update" }): void {
		let next: RealtimeSettings;
		try {
			next = updatedSettings(this.#settings, session, dialect);
			realtimeRecognitionOf(next, this.#parts.sources);
		} catch (thrown) {
			this.refuse(asCodedError(thrown), eventId);
			return;
		}
		if (this.#isDialectOpen) this.#answers.dialect = dialect;
		this.#isDialectOpen = false;
		this.#buffer.changeSettings(this.#settings, next);
		this.#settings = next;
		this.#sendSession("updated");
	}

	#commit(eventId: string | null): void {
		const error = this.#buffer.commit(this.#settings);
		if (error) this.refuse(error, eventId);
	}

	#sendSession(what: "created" | "updated"): void {
		const { dialect } = this.#answers;
		const prefix = dialect === "beta" ? "transcription_session" : "session";
		this.#parts.send({
			type: `${prefix}.${what}`,
			session: sessionObject(this.#settings, dialect, this.#parts.id),
		});
	}
}
