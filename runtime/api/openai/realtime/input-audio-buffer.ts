/**
 * The input audio buffer of a session: what a client appends goes to a recognition at once, what it commits is answered by an item, what it clears is given up.
 * Where voice activity finds the sentences, a commit ends the recognition that gets the audio.
 */
import { CodedError } from "../../../errors.js";
import type { Arrivals } from "./arrivals.js";
import { AudioDropping } from "./audio-dropping.js";
import type { ItemAnswers } from "./item-answers.js";
import { ManualTurn } from "./manual-turn.js";
import type { ManualTurns } from "./manual-turns.js";
import type { Run } from "./run.js";
import type { Runs } from "./runs.js";
import {
	bytesPerSecondOf,
	type RealtimeSettings,
	realtimeRecognitionOf,
	type SettingsSources,
} from "./settings.js";

export interface InputAudioBufferParts {
	readonly sources: SettingsSources;
	readonly runs: Runs;
	readonly arrivals: Arrivals;
	readonly answers: ItemAnswers;
	/** Get what is committed. */
	readonly turns: ManualTurns;
	/** `performance.now()` */
	readonly nowMs: () => number;
}

/** Least audio of a commit, as with OpenAI. */
const commitMsMin = 100;
/** Most audio that a client may append before it commits. */
const turnMsMax = 3_600_000;

export class InputAudioBuffer {
	readonly #parts: InputAudioBufferParts;
	readonly #dropping: AudioDropping;
	#audioMs = 0;
	#turn: ManualTurn | undefined;

	constructor(parts: InputAudioBufferParts) {
		this.#parts = parts;
		this.#dropping = new AudioDropping(parts.nowMs);
	}

	/** All audio that the session has got. */
	get audioMs(): number {
		return this.#audioMs;
	}

	/** What the client has appended and not committed, where it commits. */
	get turn(): ManualTurn | undefined {
		return this.#turn;
	}

	append(bytes: Uint8Array, settings: RealtimeSettings): void {
		if (bytes.length === 0) return;
		const { arrivals, answers, nowMs, runs } = this.#parts;
		const seconds = bytes.length / bytesPerSecondOf(settings.format);
		const fromMs = this.#audioMs;
		this.#audioMs += seconds * 1000;
		arrivals.note(this.#audioMs, nowMs());
		if (settings.turns.is === "manual") {
			this.#turn ??= new ManualTurn(answers.newItem(fromMs, settings));
			this.#turn.audioMs += seconds * 1000;
			if (this.#turn.audioMs > turnMsMax) this.#giveUp(this.#turn);
			if (this.#turn.error) return;
		}
		const { error } = this.#dropping;
		if (error && !runs.current) {
			this.#turn?.fail(error);
			return;
		}
		runs.write(runs.current ?? this.#open(settings, fromMs), bytes, seconds);
	}

	/** @returns why nothing was committed. */
	commit(settings: RealtimeSettings): CodedError | undefined {
		if (settings.turns.is === "manual") return this.#commitTurn();
		this.#commitSentence(settings);
		return undefined;
	}

	clear(): void {
		const { runs, turns } = this.#parts;
		const turn = this.#turn;
		this.#turn = undefined;
		for (const run of runs.all) {
			const isCleared = turn ? run.turn === turn : run === runs.current;
			if (!isCleared) continue;
			run.item?.measured.ended("cleared");
			runs.cancel(run);
		}
		turn?.item.measured.ended("cleared");
		// openai-agents takes it for the end of what it committed before
		const { last } = runs;
		if (last && last.commitsOwed > 0) last.clearsOwed++;
		else turns.cleared();
	}

	/** What is open keeps its settings, as far as it can. */
	changeSettings(before: RealtimeSettings, next: RealtimeSettings): void {
		const { runs } = this.#parts;
		const wasManual = before.turns.is === "manual";
		const staysInMode = wasManual === (next.turns.is === "manual");
		if (!staysInMode) this.#leaveTurn();
		if (JSON.stringify(before) === JSON.stringify(next)) return;
		const run = runs.current;
		if (!run) return;
		const isSameFormat =
			before.format.type === next.format.type &&
			before.format.rateHz === next.format.rateHz;
		if (!staysInMode || !isSameFormat) runs.finish(run);
		else if (!run.turn && run.item) run.endsWithItem = true;
		else if (!run.turn) runs.finish(run);
	}

	/** A recognition failed: where that was for want of a slot, what is appended next is dropped. */
	onFailed(error: CodedError): void {
		this.#dropping.onFailed(error);
	}

	#open(settings: RealtimeSettings, fromMs: number): Run {
		const { sources, runs } = this.#parts;
		const options = realtimeRecognitionOf(settings, sources);
		return runs.open(settings, options, fromMs, this.#turn);
	}

	#commitTurn(): CodedError | undefined {
		const { nowMs, runs, turns } = this.#parts;
		const turn = this.#turn;
		const audioMs = turn?.audioMs ?? 0;
		if (!turn || audioMs < commitMsMin) return tooLittle(audioMs);
		this.#turn = undefined;
		turns.commit(turn, nowMs());
		if (runs.current) runs.finish(runs.current);
		return undefined;
	}

	/** Voice activity may have found nothing, and the client waits for an answer: what follows the end of the recognition is one. */
	#commitSentence(settings: RealtimeSettings): void {
		const { answers, runs } = this.#parts;
		const { last } = runs;
		if (last) {
			last.commitsOwed++;
			runs.finish(last);
			return;
		}
		const item = answers.newItem(this.#audioMs, settings);
		const { error } = this.#dropping;
		if (!error) {
			answers.empty(item);
			return;
		}
		answers.committed(item);
		answers.failed(item, error);
	}

	/** The client does not commit any more: what it has appended counts as committed, or as cleared where that is too little. */
	#leaveTurn(): void {
		const turn = this.#turn;
		if (turn && this.#commitTurn()) turn.item.measured.ended("cleared");
		this.#turn = undefined;
	}

	#giveUp(turn: ManualTurn): void {
		const { runs } = this.#parts;
		turn.fail(
			new CodedError(
				"200005",
				`at most ${turnMsMax / 1000} seconds may be appended before a commit`,
			),
		);
		for (const run of runs.all) if (run.turn === turn) runs.cancel(run);
	}
}

function tooLittle(audioMs: number): CodedError {
	return new CodedError(
		"200002",
		`a commit needs at least ${commitMsMin} ms of audio, the buffer has ${Math.round(audioMs)} ms`,
		{ code: "input_audio_buffer_commit_empty" },
	);
}
