/** Items that the client cuts out by its commits: from the events of their recognitions to what the client is sent. */
import type { SessionEvent } from "../../../session/events.js";
import type { Arrivals } from "./arrivals.js";
import type { ItemAnswers } from "./item-answers.js";
import type { ManualTurn } from "./manual-turn.js";
import type { Run } from "./run.js";

export class ManualTurns {
	readonly #answers: ItemAnswers;
	readonly #arrivals: Arrivals;

	constructor(answers: ItemAnswers, arrivals: Arrivals) {
		this.#answers = answers;
		this.#arrivals = arrivals;
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

	/** Completes a turn that was committed, once nothing of it is open. */
	settle(turn: ManualTurn): void {
		if (!turn.isCommitted || turn.runsOpen > 0) return;
		const { item, error } = turn;
		if (error) this.#answers.failed(item, error);
		else this.#answers.completed(item, turn.result(), turn.committedAtMs);
	}
}
