/** Items that the client cuts out by its commits: from the events of their recognitions to what the client is sent. */
import type { SessionEvent } from "../../../session/events.js";
import type { Arrivals } from "./arrivals.js";
import type { ItemAnswers } from "./item-answers.js";
import type { ManualTurn } from "./manual-turn.js";
import type { Run } from "./run.js";

export class ManualTurns {
	readonly #answers: ItemAnswers;
	readonly #arrivals: Arrivals;
	readonly #hasSentencesBefore: (turn: ManualTurn) => boolean;
	/** Committed by the client, which is not told yet: what voice activity finds in the audio before has no items yet. */
	readonly #unannounced: ManualTurn[] = [];

	/** @param hasSentencesBefore voice activity may still find some in the audio before a turn: the mode was switched in between. */
	constructor(
		answers: ItemAnswers,
		arrivals: Arrivals,
		hasSentencesBefore: (turn: ManualTurn) => boolean,
	) {
		this.#answers = answers;
		this.#arrivals = arrivals;
		this.#hasSentencesBefore = hasSentencesBefore;
	}

	commit(turn: ManualTurn, atMs: number): void {
		turn.committedAtMs = atMs;
		this.#unannounced.push(turn);
		this.announce();
	}

	/** Items are announced in the order of their audio. */
	announce(): void {
		for (;;) {
			const [turn] = this.#unannounced;
			if (!turn || this.#hasSentencesBefore(turn)) return;
			this.#unannounced.shift();
			this.#answers.committed(turn.item);
			this.#answers.cleared(turn.clearsOwed);
			this.settle(turn);
		}
	}

	/** `clear` is answered after the commits that came before it. */
	cleared(): void {
		const last = this.#unannounced.at(-1);
		if (last) last.clearsOwed++;
		else this.#answers.cleared();
	}

	onEvent(run: Run, turn: ManualTurn, event: SessionEvent): void {
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
				if (event.language) item.deltas.useLanguage(event.language);
				if (!turn.isCommitted)
					this.#answers.delta(item, item.deltas.final(event.utterance.text));
				return;
			case "completed":
				turn.add(event, run.options);
				this.settle(turn);
				return;
			case "wake":
			case "sleep":
		}
	}

	/** Completes a turn that was committed and announced, once nothing of it is open. */
	settle(turn: ManualTurn): void {
		if (!turn.isCommitted || turn.runsOpen > 0) return;
		if (this.#unannounced.includes(turn)) return;
		const { item, error } = turn;
		if (error) this.#answers.failed(item, error);
		else this.#answers.completed(item, turn.result(), turn.committedAtMs);
	}
}
