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
import { AudioDropping } from "./audio-dropping.js";
import type { ClientEvent } from "./client-event.js";
import type { Item } from "./item.js";
import { ItemAnswers, type ItemAnswersParts } from "./item-answers.js";
import { ManualTurn } from "./manual-turn.js";
import { ManualTurns } from "./manual-turns.js";
import { type Recognitions, Runs } from "./runs.js";
import { Sentences } from "./sentences.js";
import { sessionObject } from "./session-object.js";
import {
	bytesPerSecondOf,
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

/** Least audio of a commit, as with OpenAI. */
const commitMsMin = 100;
/** Most audio that a client may append before it commits. */
const turnMsMax = 3_600_000;

export class Conversation {
	readonly #parts: ConversationParts;
	readonly #runs: Runs;
	readonly #arrivals = new Arrivals();
	readonly #answers: ItemAnswers;
	readonly #sentences: Sentences;
	readonly #turns: ManualTurns;
	/** The first update may change it. */
	#isDialectOpen: boolean;
	#settings: RealtimeSettings;
	#audioMs = 0;
	/** What the client appends, where it commits. */
	#turn: ManualTurn | undefined;
	readonly #dropping: AudioDropping;

	constructor(parts: ConversationParts) {
		this.#parts = parts;
		this.#runs = new Runs(parts.recognitions);
		this.#answers = new ItemAnswers(parts, parts.dialect);
		this.#sentences = new Sentences(
			this.#answers,
			this.#arrivals,
			() => this.#audioMs,
		);
		this.#turns = new ManualTurns(this.#answers, this.#arrivals, ({ item }) =>
			this.#runs.all.some((it) => !it.turn && it.beginMs < item.beginMs),
		);
		this.#dropping = new AudioDropping(parts.nowMs);
		this.#isDialectOpen = parts.dialect === "ga";
		this.#settings = parts.settings;
	}

	/** The server speaks first. */
	begin(): void {
		this.#sendSession("created");
	}

	get settings(): RealtimeSettings {
		return this.#settings;
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
				this.#append(event.bytes);
				return;
			case "commit":
				this.#commit(event.eventId);
				return;
			case "clear":
				this.#clear();
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
		this.#dropping.onFailed(error);
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
		if (this.#turn) yield this.#turn.item;
		for (const { item, turn } of this.#runs.all) {
			if (item) yield item;
			if (turn && turn !== this.#turn) yield turn.item;
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
		this.#apply(next);
		this.#sendSession("updated");
	}

	/** What is open keeps its settings, as far as it can. */
	#apply(next: RealtimeSettings): void {
		const before = this.#settings;
		const wasManual = before.turns.is === "manual";
		const staysInMode = wasManual === (next.turns.is === "manual");
		if (!staysInMode && (this.#turn?.audioMs ?? 0) >= commitMsMin)
			this.#commit(null);
		if (!staysInMode) {
			this.#turn?.item.measured.ended("cleared");
			this.#turn = undefined;
		}
		this.#settings = next;
		if (JSON.stringify(before) === JSON.stringify(next)) return;
		const run = this.#runs.current;
		if (!run) return;
		const isSameFormat =
			before.format.type === next.format.type &&
			before.format.rateHz === next.format.rateHz;
		if (!staysInMode || !isSameFormat) this.#runs.finish(run);
		else if (!run.turn && run.item) run.endsWithItem = true;
		else if (!run.turn) this.#runs.finish(run);
	}

	#append(bytes: Uint8Array): void {
		if (bytes.length === 0) return;
		const seconds = bytes.length / bytesPerSecondOf(this.#settings.format);
		const fromMs = this.#audioMs;
		this.#audioMs += seconds * 1000;
		this.#arrivals.note(this.#audioMs, this.#parts.nowMs());
		if (this.#settings.turns.is === "manual") {
			this.#turn ??= new ManualTurn(
				this.#answers.newItem(fromMs, this.#settings),
			);
			this.#turn.audioMs += seconds * 1000;
			if (this.#turn.audioMs > turnMsMax) this.#giveUp(this.#turn);
			if (this.#turn.error) return;
		}
		const { current } = this.#runs;
		const { error } = this.#dropping;
		if (error && !current) {
			this.#turn?.fail(error);
			return;
		}
		const settings = this.#settings;
		const run =
			current ??
			this.#runs.open(
				settings,
				realtimeRecognitionOf(settings, this.#parts.sources),
				fromMs,
				this.#turn,
			);
		this.#runs.write(run, bytes, seconds);
	}

	#commit(eventId: string | null): void {
		if (this.#settings.turns.is === "manual") this.#commitTurn(eventId);
		else this.#commitSentence();
	}

	#commitTurn(eventId: string | null): void {
		const turn = this.#turn;
		const audioMs = turn?.audioMs ?? 0;
		if (!turn || audioMs < commitMsMin) {
			this.refuse(tooLittle(audioMs), eventId);
			return;
		}
		this.#turn = undefined;
		this.#turns.commit(turn, this.#parts.nowMs());
		if (this.#runs.current) this.#runs.finish(this.#runs.current);
	}

	/** Voice activity may have found nothing, and the client waits for an answer: what follows the end of the recognition is one. */
	#commitSentence(): void {
		const last = this.#runs.last;
		if (last) {
			last.commitsOwed++;
			this.#runs.finish(last);
			return;
		}
		const item = this.#answers.newItem(this.#audioMs, this.#settings);
		const { error } = this.#dropping;
		if (!error) {
			this.#answers.empty(item);
			return;
		}
		this.#answers.committed(item);
		this.#answers.failed(item, error);
	}

	#clear(): void {
		const turn = this.#turn;
		this.#turn = undefined;
		for (const run of this.#runs.all) {
			const isCleared = turn ? run.turn === turn : run === this.#runs.current;
			if (!isCleared) continue;
			run.item?.measured.ended("cleared");
			this.#runs.cancel(run);
		}
		turn?.item.measured.ended("cleared");
		// openai-agents takes it for the end of what it committed before
		const last = this.#runs.last;
		if (last && last.commitsOwed > 0) last.clearsOwed++;
		else this.#turns.cleared();
	}

	#giveUp(turn: ManualTurn): void {
		turn.fail(
			new CodedError(
				"200005",
				`at most ${turnMsMax / 1000} seconds may be appended before a commit`,
			),
		);
		for (const run of this.#runs.all)
			if (run.turn === turn) this.#runs.cancel(run);
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

function tooLittle(audioMs: number): CodedError {
	return new CodedError(
		"200002",
		`a commit needs at least ${commitMsMin} ms of audio, the buffer has ${Math.round(audioMs)} ms`,
		{ code: "input_audio_buffer_commit_empty" },
	);
}
