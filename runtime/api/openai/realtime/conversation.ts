/**
 * One Realtime session: what clients send, what recognitions find, and what is answered. It has no socket, no timer and no clock of its own.
 *
 * INVARIANTS
 * - Recognitions follow each other; at most one takes audio. A commit ends it, so the end of a recognition is the answer to a commit, whatever is in the queue.
 * - Each item that is committed is completed or fails, exactly once, and items end in the order of their audio.
 * - Each commit is answered by an item, or by the error that there was too little audio.
 * - A failed recognition fails its item only; the next audio opens another one.
 */
import { asCodedError, CodedError, successStatus } from "../../../errors.js";
import type { SessionEvent, Utterance } from "../../../session/events.js";
import type { RecognitionOptions } from "../../../session/options.js";
import type { MeasuredRequest } from "../../metrics/endpoints.js";
import { openAiError } from "../error.js";
import { Arrivals } from "./arrivals.js";
import type { ClientEvent } from "./client-event.js";
import { Item, type ItemResult, type ServerEvent } from "./item.js";
import { ManualTurn } from "./manual-turn.js";
import { sessionObject } from "./session-object.js";
import {
	bytesPerSecondOf,
	type Dialect,
	type RealtimeSettings,
	recognitionOf,
	type SettingsSources,
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

export interface ConversationParts {
	readonly id: string;
	readonly dialect: Dialect;
	readonly settings: RealtimeSettings;
	readonly sources: SettingsSources;
	readonly recognitions: Recognitions;
	readonly send: (event: ServerEvent) => void;
	readonly measure: () => MeasuredRequest;
	/** `performance.now()` */
	readonly nowMs: () => number;
}

/** One recognition. */
interface Run {
	readonly id: number;
	readonly settings: RealtimeSettings;
	readonly options: RecognitionOptions;
	/** Where it begins in the audio of the session. */
	readonly beginMs: number;
	/** What the client will commit; undefined where voice activity finds the sentences. */
	readonly turn: ManualTurn | undefined;
	isFinishing: boolean;
	/** The settings have changed: it ends with the sentence that is open. */
	endsWithItem: boolean;
	item: Item | undefined;
	/** Commits that no item has answered. */
	commitsOwed: number;
	/** `clear` came after them, and is answered after them. */
	clearsOwed: number;
}

/** Of a commit, as officially. */
const commitMsMin = 100;
/** Of audio that the client has not committed. */
const turnMsMax = 3_600_000;
/** Audio is dropped for this long where no slot was free. */
const deafMsDefault = 5000;

export class Conversation {
	readonly #parts: ConversationParts;
	readonly #runs: Run[] = [];
	readonly #arrivals = new Arrivals();
	#dialect: Dialect;
	#isDialectOpen: boolean;
	#settings: RealtimeSettings;
	#audioMs = 0;
	#runsOpened = 0;
	/** The last item that was committed. */
	#lastItemId: string | null = null;
	/** What the client appends, where it commits. */
	#turn: ManualTurn | undefined;
	#deaf: { readonly untilMs: number; readonly error: CodedError } | undefined;

	constructor(parts: ConversationParts) {
		this.#parts = parts;
		this.#dialect = parts.dialect;
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
		if (run.turn) this.#onTurnEvent(run, run.turn, event);
		else this.#onSentenceEvent(run, event);
		if (this.#runs.length === 0) this.#arrivals.forget();
	}

	/** No slot was free, or the recognition broke off. */
	onFailed(id: number, thrown: CodedError): void {
		const run = this.#remove(id);
		if (!run) return;
		// an engine that failed in the middle of its work has a code of its own
		const error =
			thrown.status === "100003" ? new CodedError("230004") : thrown;
		const seconds = error.retryAfterSeconds;
		if (error.status === "100004")
			this.#deaf = {
				untilMs:
					this.#parts.nowMs() +
					(seconds === undefined ? deafMsDefault : seconds * 1000),
				error,
			};
		if (run.turn) {
			run.turn.fail(error);
			this.#settle(run.turn);
			this.#answerCommits(run);
			return;
		}
		const isTold = run.item !== undefined || error.status === "100004";
		const owed = Math.max(run.commitsOwed, isTold ? 1 : 0);
		for (let i = 0; i < owed; i++) this.#failItem(run, error);
		this.#sendCleared(run.clearsOwed);
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
		if (this.#isDialectOpen) this.#dialect = dialect;
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
				this.#newItem(fromMs, this.#settings, undefined),
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
		const run: Run = {
			id: this.#runsOpened++,
			settings,
			options,
			beginMs: fromMs,
			turn: this.#turn,
			isFinishing: false,
			endsWithItem: false,
			item: undefined,
			commitsOwed: 0,
			clearsOwed: 0,
		};
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
		this.#sendCommitted(turn.item);
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
		const item = this.#newItem(this.#audioMs, this.#settings, undefined);
		this.#sendCommitted(item);
		if (this.#isDeaf()) {
			this.#sendFailed(item, this.#deaf?.error as CodedError);
			return;
		}
		this.#complete(item, nothing);
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
		else this.#sendCleared(1);
	}

	#onSentenceEvent(run: Run, event: SessionEvent): void {
		switch (event.is) {
			case "speech-begin": {
				const { turns } = run.settings;
				const paddingMs = turns.is === "server_vad" ? turns.prefixPaddingMs : 0;
				const beginMs = run.beginMs + event.atMs;
				run.item = this.#newItem(beginMs, run.settings, run.options);
				run.item.measured.audioBegan(this.#arrivals.of(beginMs));
				const shownMs = Math.max(run.beginMs, beginMs - paddingMs);
				this.#parts.send(run.item.speechStarted(shownMs));
				return;
			}
			case "partial":
				if (run.item) this.#sendPartial(run.item, event);
				return;
			case "final":
				this.#endSentence(run, event.utterance);
				return;
			case "completed":
				if (run.item) this.#endSentence(run, undefined);
				this.#remove(run.id);
				this.#answerCommits(run);
				return;
			case "wake":
			case "sleep":
		}
	}

	/** Of a recognition that has ended: nothing was spoken for the commits that are left. */
	#answerCommits(run: Run): void {
		for (; run.commitsOwed > 0; run.commitsOwed--) {
			const item = this.#newItem(this.#audioMs, run.settings, run.options);
			this.#sendCommitted(item);
			this.#complete(item, nothing);
		}
		this.#sendCleared(run.clearsOwed);
	}

	/** @param utterance undefined: nothing was recognized. */
	#endSentence(run: Run, utterance: Utterance | undefined): void {
		const begunMs = run.beginMs + (utterance?.beginMs ?? 0);
		const item = run.item ?? this.#newItem(begunMs, run.settings, run.options);
		const endMs = utterance ? run.beginMs + utterance.endMs : this.#audioMs;
		run.item = undefined;
		this.#sendDelta(item, item.deltas.final(utterance?.text ?? ""));
		this.#parts.send(item.speechStopped(endMs));
		this.#sendCommitted(item);
		const { language, languageChoices } = run.options;
		const known = languageChoices ? undefined : language;
		this.#complete(
			item,
			{
				text: utterance?.text ?? "",
				words: utterance?.words ?? [],
				language: utterance?.spokenIn ?? known,
				seconds: Math.max(0, endMs - item.beginMs) / 1000,
			},
			this.#arrivals.of(endMs),
		);
		if (run.isFinishing && run.commitsOwed > 0) run.commitsOwed--;
		if (run.endsWithItem) this.#finish(run);
	}

	#onTurnEvent(run: Run, turn: ManualTurn, event: SessionEvent): void {
		const { item } = turn;
		switch (event.is) {
			case "speech-begin":
				item.measured.audioBegan(this.#arrivals.of(run.beginMs + event.atMs));
				return;
			case "partial":
				// once it was committed, its text follows at once
				if (!turn.isCommitted) this.#sendPartial(item, event);
				return;
			case "final":
				if (!turn.isCommitted)
					this.#sendDelta(item, item.deltas.final(event.utterance.text));
				return;
			case "completed":
				this.#remove(run.id);
				turn.add(event, run.options);
				this.#settle(turn);
				this.#answerCommits(run);
				return;
			case "wake":
			case "sleep":
		}
	}

	/** Completes a turn that was committed, once nothing of it is open. */
	#settle(turn: ManualTurn): void {
		if (!turn.isCommitted || turn.runsOpen > 0) return;
		if (turn.error) {
			this.#sendFailed(turn.item, turn.error);
			return;
		}
		this.#complete(turn.item, turn.result(), turn.committedAtMs);
	}

	#sendCleared(times: number): void {
		for (let i = 0; i < times; i++)
			this.#parts.send({ type: "input_audio_buffer.cleared" });
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

	#failItem(run: Run, error: CodedError): void {
		const isSpoken = run.item !== undefined;
		const item =
			run.item ?? this.#newItem(this.#audioMs, run.settings, run.options);
		run.item = undefined;
		if (isSpoken) this.#parts.send(item.speechStopped(this.#audioMs));
		this.#sendCommitted(item);
		this.#sendFailed(item, error);
	}

	#sendFailed(item: Item, error: CodedError): void {
		this.#parts.send(item.failed(error));
		item.measured.ended(error.status);
	}

	#sendPartial(
		item: Item,
		{ utterance, stable = 0 }: SessionEvent & { is: "partial" },
	): void {
		this.#sendDelta(item, item.deltas.partial(utterance.text, stable));
	}

	#sendDelta(item: Item, delta: string): void {
		if (delta === "") return;
		item.measured.text();
		this.#parts.send(item.delta(delta));
	}

	#sendCommitted(item: Item): void {
		for (const event of item.committed(this.#lastItemId, this.#dialect))
			this.#parts.send(event);
		this.#lastItemId = item.id;
	}

	/** @param endedAtMs when its end had arrived; undefined: nothing was said. */
	#complete(item: Item, result: ItemResult, endedAtMs?: number): void {
		const { measured } = item;
		if (endedAtMs !== undefined) {
			measured.audioEnded(endedAtMs);
			measured.final();
		}
		measured.heard(result.seconds);
		measured.ended(successStatus);
		this.#parts.send(item.completed(result));
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

	/** @param options of its recognition, where it has begun. */
	#newItem(
		beginMs: number,
		settings: RealtimeSettings,
		options: RecognitionOptions | undefined,
	): Item {
		const { language } =
			options ?? recognitionOf(settings, this.#parts.sources);
		return new Item(beginMs, settings, language, this.#parts.measure());
	}

	#sendSession(what: "created" | "updated"): void {
		const prefix =
			this.#dialect === "beta" ? "transcription_session" : "session";
		this.#parts.send({
			type: `${prefix}.${what}`,
			session: sessionObject(this.#settings, this.#dialect, this.#parts.id),
		});
	}
}

const nothing: ItemResult = {
	text: "",
	words: [],
	language: undefined,
	seconds: 0,
};

function tooLittle(audioMs: number): CodedError {
	return new CodedError(
		"200002",
		`a commit needs at least ${commitMsMin} ms of audio, the buffer has ${Math.round(audioMs)} ms`,
		{ code: "input_audio_buffer_commit_empty" },
	);
}
