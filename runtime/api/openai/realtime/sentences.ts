/** Items that voice activity cuts out: from the events of a recognition to what the client is sent. */
import type { CodedError } from "../../../errors.js";
import type { SessionEvent, Utterance } from "../../../session/events.js";
import type { Language } from "../../../text/languages.js";
import type { Arrivals } from "./arrivals.js";
import type { ItemAnswers } from "./item-answers.js";
import type { Run } from "./run.js";

export class Sentences {
	readonly #answers: ItemAnswers;
	readonly #arrivals: Arrivals;
	/** Of audio that the session has got. */
	readonly #audioMs: () => number;

	constructor(answers: ItemAnswers, arrivals: Arrivals, audioMs: () => number) {
		this.#answers = answers;
		this.#arrivals = arrivals;
		this.#audioMs = audioMs;
	}

	onEvent(run: Run, event: SessionEvent): void {
		switch (event.is) {
			case "speech-begin":
				this.#begin(run, run.beginMs + event.atMs);
				return;
			case "partial":
				if (run.item) this.#answers.partial(run.item, event);
				return;
			case "final":
				this.#end(run, event.utterance, event.language);
				return;
			case "completed":
				if (run.item) this.#end(run, undefined, event.language);
				this.answerCommits(run);
				return;
			case "wake":
			case "sleep":
		}
	}

	/** Of a recognition that has ended: nothing was spoken for the commits that are left. */
	answerCommits(run: Run): void {
		for (; run.commitsOwed > 0; run.commitsOwed--)
			this.#answers.empty(this.#itemAtEnd(run));
		this.#answers.cleared(run.clearsOwed);
	}

	/** @param isReported the client gets it even where no sentence is open. */
	fail(run: Run, error: CodedError, isReported: boolean): void {
		const items = Math.max(run.commitsOwed, run.item || isReported ? 1 : 0);
		for (let i = 0; i < items; i++) {
			const item = run.item ?? this.#itemAtEnd(run);
			if (run.item) this.#answers.send(item.speechStopped(this.#audioMs()));
			run.item = undefined;
			this.#answers.committed(item);
			this.#answers.failed(item, error);
		}
		this.#answers.cleared(run.clearsOwed);
	}

	#begin(run: Run, beginMs: number): void {
		if (run.item) this.#end(run, undefined);
		const { turns } = run.settings;
		const paddingMs = turns.is === "server_vad" ? turns.prefixPaddingMs : 0;
		const item = this.#answers.newItem(beginMs, run.settings, run.options);
		run.item = item;
		item.measured.audioBegan(this.#arrivals.of(beginMs));
		const shownMs = Math.max(run.beginMs, beginMs - paddingMs);
		this.#answers.send(item.speechStarted(shownMs));
	}

	/** @param utterance undefined: nothing was recognized. @param identified where the request left the language open. */
	#end(
		run: Run,
		utterance: Utterance | undefined,
		identified?: Language,
	): void {
		const { text = "", words = [], beginMs = 0, spokenIn } = utterance ?? {};
		const { language, languageChoices } = run.options;
		const item =
			run.item ??
			this.#answers.newItem(run.beginMs + beginMs, run.settings, run.options);
		run.item = undefined;
		const endMs = utterance ? run.beginMs + utterance.endMs : this.#audioMs();
		this.#answers.delta(item, item.deltas.final(text));
		this.#answers.send(item.speechStopped(endMs));
		this.#answers.committed(item);
		this.#answers.completed(
			item,
			{
				text,
				words,
				language:
					spokenIn ?? identified ?? (languageChoices ? undefined : language),
				seconds: Math.max(0, endMs - item.beginMs) / 1000,
			},
			this.#arrivals.of(endMs),
		);
		if (run.isFinishing && run.commitsOwed > 0) run.commitsOwed--;
	}

	#itemAtEnd(run: Run) {
		return this.#answers.newItem(this.#audioMs(), run.settings, run.options);
	}
}
