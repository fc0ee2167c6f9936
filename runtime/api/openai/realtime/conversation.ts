/**
 * One Realtime session: what clients send, what recognitions find, and what is answered. It has no socket, no timer and no clock of its own.
 *
 * INVARIANTS
 * - Recognitions follow each other; at most one takes audio. A commit ends it, so the end of a recognition is the answer to a commit, whatever is in the queue.
 * - Each item that is committed is completed or fails, exactly once, and items end in the order of their audio.
 * - Each commit is answered by an item, or by the error that there was too little audio.
 * - A failed recognition fails its item only; the next audio opens another one.
 */
import { asCodedError, CodedError } from "../../../errors.js";
import type { SessionEvent } from "../../../session/events.js";
import type { RecognitionOptions } from "../../../session/options.js";
import { openAiError } from "../error.js";
import { Arrivals } from "./arrivals.js";
import type { ClientEvent } from "./client-event.js";
import type { Item } from "./item.js";
import { ItemAnswers, type ItemAnswersParts } from "./item-answers.js";
import { ManualTurn } from "./manual-turn.js";
import { Run } from "./run.js";
import { Sentences } from "./sentences.js";
import { sessionObject } from "./session-object.js";
import {
	bytesPerSecondOf,
	type Dialect,
	type RealtimeSettings,
	recognitionOf,
} from "./settings.js";
import { updatedSettings } from "./settings-update.js";

/** The recognitions of one connection, by number; each begins when the one before has ended. */
export interface Recognitions {
	open(run: number, options: RecognitionOptions): void;
	/** @param seconds that the bytes last. */
	write(run: number, bytes: Uint8Array, seconds: number): void;
	/** No more audio comes: its events follow. */
	finish(run: number): void;
	/** Nothing of it follows. */
	cancel(run: number): void;
}

export interface ConversationParts extends ItemAnswersParts {
	readonly id: string;
	readonly dialect: Dialect;
	readonly settings: RealtimeSettings;
	readonly recognitions: Recognitions;
}

/** Of a commit, as officially. */
const commitMsMin = 100;
/** Of audio that the client has not committed. */
const turnMsMax = 3_600_000;
/** Audio is dropped for at most this long where no slot was free. */
const deafSecondsMax = 5;

export class Conversation {
	readonly #parts: ConversationParts;
	readonly #runs: Run[] = [];
	readonly #arrivals = new Arrivals();
	readonly #answers: ItemAnswers;
	readonly #sentences: Sentences;
	/** The first update may change it. */
	#isDialectOpen: boolean;
	#settings: RealtimeSettings;
	#audioMs = 0;
	#runsOpened = 0;
	/** What the client appends, where it commits. */
	#turn: ManualTurn | undefined;
	#deaf: { readonly untilMs: number; readonly error: CodedError } | undefined;

	constructor(parts: ConversationParts) {
		this.#parts = parts;
		this.#answers = new ItemAnswers(parts, parts.dialect);
		this.#sentences = new Sentences(
			this.#answers,
			this.#arrivals,
			() => this.#audioMs,
		);
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
		return this.#runs.length;
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

	onRecognised(id: number, event: SessionEvent): void {
		const run = this.#runs.find((it) => it.id === id);
		if (!run) return;
		if (event.is === "completed") this.#remove(id);
		if (run.turn) this.#onTurnEvent(run, run.turn, event);
		else this.#sentences.onEvent(run, event);
		if (event.is === "final" && run.endsWithItem) this.#finish(run);
		if (this.#runs.length === 0) this.#arrivals.forget();
	}

	/** No slot was free, or the recognition broke off. */
	onFailed(id: number, thrown: CodedError): void {
		const run = this.#remove(id);
		if (!run) return;
		// an engine that failed in the middle of its work has a code of its own
		const error =
			thrown.status === "100003" ? new CodedError("230004") : thrown;
		if (error.status === "100004") {
			const { retryAfterSeconds = deafSecondsMax } = error;
			const seconds = Math.min(retryAfterSeconds, deafSecondsMax);
			this.#deaf = { untilMs: this.#parts.nowMs() + seconds * 1000, error };
		}
		if (run.turn) {
			run.turn.fail(error);
			this.#settle(run.turn);
			this.#sentences.answerCommits(run);
		} else this.#sentences.fail(run, error, error.status === "100004");
	}

	/** No audio came for a while: the slot is given back. */
	onQuiet(id: number): void {
		const run = this.#runs.find((it) => it.id === id);
		if (run) this.#finish(run);
	}

	/** The connection is closed. */
	close(): void {
		for (const item of this.#openItems()) item.measured.ended("gone");
	}

	*#openItems(): Generator<Item> {
		if (this.#turn) yield this.#turn.item;
		for (const { item, turn } of this.#runs) {
			if (item) yield item;
			if (turn && turn !== this.#turn) yield turn.item;
		}
	}

	#update({ eventId, dialect, session }: ClientEvent & { is: "update" }): void {
		let next: RealtimeSettings;
		try {
			next = updatedSettings(this.#settings, session, dialect);
			recognitionOf(next, this.#parts.sources);
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
		const run = this.#hearing;
		if (!run) return;
		const isSameFormat =
			before.format.type === next.format.type &&
			before.format.rateHz === next.format.rateHz;
		if (!staysInMode || !isSameFormat) this.#finish(run);
		else if (!run.turn && run.item) run.endsWithItem = true;
		else if (!run.turn) this.#finish(run);
	}

	#append(bytes: Uint8Array): void {
		if (bytes.length === 0) return;
		const { nowMs, recognitions } = this.#parts;
		const seconds = bytes.length / bytesPerSecondOf(this.#settings.format);
		const fromMs = this.#audioMs;
		this.#audioMs += seconds * 1000;
		this.#arrivals.note(this.#audioMs, nowMs());
		if (this.#settings.turns.is === "manual") {
			this.#turn ??= new ManualTurn(
				this.#answers.newItem(fromMs, this.#settings),
			);
			this.#turn.audioMs += seconds * 1000;
			if (this.#turn.audioMs > turnMsMax) this.#giveUp(this.#turn);
			if (this.#turn.error) return;
		}
		if (this.#isDeaf()) {
			this.#turn?.fail(this.#deaf?.error as CodedError);
			return;
		}
		const run = this.#hearing ?? this.#open(fromMs);
		recognitions.write(run.id, bytes, seconds);
	}

	#open(fromMs: number): Run {
		const settings = this.#settings;
		const options = recognitionOf(settings, this.#parts.sources);
		const id = this.#runsOpened++;
		const run = new Run(id, settings, options, fromMs, this.#turn);
		if (run.turn) run.turn.runsOpen++;
		this.#runs.push(run);
		this.#parts.recognitions.open(run.id, options);
		return run;
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
		turn.committedAtMs = this.#parts.nowMs();
		this.#answers.committed(turn.item);
		if (this.#hearing) this.#finish(this.#hearing);
		this.#settle(turn);
	}

	/** Voice activity may have found nothing, and the client waits for an answer: what follows the end of the recognition is one. */
	#commitSentence(): void {
		const last = this.#runs.at(-1);
		if (last) {
			last.commitsOwed++;
			this.#finish(last);
			return;
		}
		const item = this.#answers.newItem(this.#audioMs, this.#settings);
		if (!this.#isDeaf()) {
			this.#answers.empty(item);
			return;
		}
		this.#answers.committed(item);
		this.#answers.failed(item, this.#deaf?.error as CodedError);
	}

	#clear(): void {
		const turn = this.#turn;
		this.#turn = undefined;
		for (const run of [...this.#runs]) {
			const isCleared = turn ? run.turn === turn : run === this.#hearing;
			if (!isCleared) continue;
			run.item?.measured.ended("cleared");
			this.#remove(run.id);
			this.#parts.recognitions.cancel(run.id);
		}
		turn?.item.measured.ended("cleared");
		// openai-agents takes it for the end of what it committed before
		const last = this.#runs.at(-1);
		if (last && last.commitsOwed > 0) last.clearsOwed++;
		else this.#answers.cleared();
	}

	#onTurnEvent(run: Run, turn: ManualTurn, event: SessionEvent): void {
		const { item } = turn;
		switch (event.is) {
			case "speech-begin":
				item.measured.audioBegan(this.#arrivals.of(run.beginMs + event.atMs));
				return;
			case "partial":
				// once it was committed, its text follows at once
				if (!turn.isCommitted) this.#answers.partial(item, event);
				return;
			case "final":
				if (!turn.isCommitted)
					this.#answers.delta(item, item.deltas.final(event.utterance.text));
				return;
			case "completed":
				turn.add(event, run.options);
				this.#settle(turn);
				this.#sentences.answerCommits(run);
				return;
			case "wake":
			case "sleep":
		}
	}

	/** Completes a turn that was committed, once nothing of it is open. */
	#settle(turn: ManualTurn): void {
		if (!turn.isCommitted || turn.runsOpen > 0) return;
		const { item, error } = turn;
		if (error) this.#answers.failed(item, error);
		else this.#answers.completed(item, turn.result(), turn.committedAtMs);
	}

	#giveUp(turn: ManualTurn): void {
		turn.fail(
			new CodedError(
				"200005",
				`at most ${turnMsMax / 1000} seconds may be appended before a commit`,
			),
		);
		for (const run of [...this.#runs]) {
			if (run.turn !== turn) continue;
			this.#remove(run.id);
			this.#parts.recognitions.cancel(run.id);
		}
	}

	#finish(run: Run): void {
		if (run.isFinishing) return;
		run.isFinishing = true;
		this.#parts.recognitions.finish(run.id);
	}

	#remove(id: number): Run | undefined {
		const at = this.#runs.findIndex((it) => it.id === id);
		const [run] = at < 0 ? [] : this.#runs.splice(at, 1);
		if (run?.turn) run.turn.runsOpen--;
		return run;
	}

	get #hearing(): Run | undefined {
		const last = this.#runs.at(-1);
		return last?.isFinishing ? undefined : last;
	}

	#isDeaf(): boolean {
		if (this.#deaf && this.#deaf.untilMs <= this.#parts.nowMs())
			this.#deaf = undefined;
		return this.#deaf !== undefined;
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
