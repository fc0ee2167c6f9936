/**
 * What a room makes of lists of words before it works with them: once for each list, for as long as somebody uses that, and a little at a time, so that nobody
 * waits for a list of somebody else's.
 */
import { atOnce, type Piecewise } from "../event-loop/piecewise.js";
import type { WordList } from "./word-list.js";

interface Making<Made> {
	readonly work: Piecewise<Made>;
	done?: { readonly made: Made };
}

export class CompiledLists<Made> {
	readonly #compile: (list: WordList) => Piecewise<Made>;
	readonly #making = new WeakMap<WordList, Making<Made>>();

	constructor(compile: (list: WordList) => Piecewise<Made>) {
		this.#compile = compile;
	}

	/** Done when `of` answers at once. Several may do the same work together: each piece is done by whoever asks next. */
	*preparing(list: WordList): Piecewise<void> {
		const making = this.#makingOf(list);
		while (!making.done) {
			const { done, value } = making.work.next();
			if (done) making.done = { made: value };
			else yield;
		}
	}

	/** What is not prepared is made now. */
	of(list: WordList): Made {
		const making = this.#makingOf(list);
		making.done ??= { made: atOnce(making.work) };
		return making.done.made;
	}

	#makingOf(list: WordList): Making<Made> {
		let making = this.#making.get(list);
		if (!making) {
			making = { work: this.#compile(list) };
			this.#making.set(list, making);
		}
		return making;
	}
}
