/**
 * Word lists compiled for a particular use: once per list, kept as long as the list is in use, and in small pieces, so that no request is blocked by
 * another one's list.
 */
import { atOnce, type Piecewise } from "../event-loop/piecewise.js";
import type { WordList } from "./word-list.js";

interface Compilation<Made> {
	readonly work: Piecewise<Made>;
	done?: { readonly made: Made };
}

export class CompiledLists<Made> {
	readonly #compile: (list: WordList) => Piecewise<Made>;
	readonly #making = new WeakMap<WordList, Compilation<Made>>();

	constructor(compile: (list: WordList) => Piecewise<Made>) {
		this.#compile = compile;
	}

	/** Afterwards `of` answers at once. Several callers may share the work: whoever asks next does the next piece. */
	*preparing(list: WordList): Piecewise<void> {
		const compilation = this.#makingOf(list);
		while (!compilation.done) {
			const { done, value } = compilation.work.next();
			if (done) compilation.done = { made: value };
			else yield;
		}
	}

	/** Whatever is not prepared is compiled now. */
	of(list: WordList): Made {
		const compilation = this.#makingOf(list);
		compilation.done ??= { made: atOnce(compilation.work) };
		return compilation.done.made;
	}

	#makingOf(list: WordList): Compilation<Made> {
		let compilation = this.#making.get(list);
		if (!compilation) {
			compilation = { work: this.#compile(list) };
			this.#making.set(list, compilation);
		}
		return compilation;
	}
}
