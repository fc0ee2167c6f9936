/**
 * Tracks which stored lists are in use (docs/interface.md section 3.1): by running recognitions, and by unfinished tasks. Kept in memory only: after a restart
 * the holders no longer exist, or hold their lists again.
 *
 * INVARIANTS
 * - A list that is held can't be removed, and one that is being removed can't be found.
 * - Every hold is released once, however often its release is called.
 */
import { type ListRef, nameOf, storedNameOf } from "./list-key.js";
import type { WordList } from "./word-list.js";

export type ListHolder = "recognition" | "task";

export class ListUsage {
	readonly #holders = new Map<string, number>();
	/** Of the holders. */
	readonly #tasks = new Map<string, number>();
	readonly #leaving = new Set<string>();

	/** @param lists inline ones are ignored. @param by a task holds from its submission to its end. @returns a function that releases them. */
	hold(lists: readonly WordList[], by: ListHolder = "recognition"): () => void {
		const names = lists
			.map((it) => storedNameOf(it.key))
			.filter((it) => it !== undefined);
		return this.#hold(names, by);
	}

	/** As `hold`, for lists that are read later. */
	holdNamed(refs: readonly ListRef[], by: ListHolder): () => void {
		return this.#hold(refs.map(nameOf), by);
	}

	#hold(names: readonly string[], by: ListHolder): () => void {
		const counts =
			by === "task" ? [this.#holders, this.#tasks] : [this.#holders];
		for (const name of names)
			for (const it of counts) it.set(name, (it.get(name) ?? 0) + 1);
		let held = true;
		return () => {
			if (!held) return;
			held = false;
			for (const name of names) for (const it of counts) giveBack(it, name);
		};
	}

	isUsed(ref: ListRef): boolean {
		return this.#holders.has(nameOf(ref));
	}

	/** Unfinished file tasks that name it. */
	tasksOf(ref: ListRef): number {
		return this.#tasks.get(nameOf(ref)) ?? 0;
	}

	/** The list is being removed and must not be found any more. */
	isLeaving(ref: ListRef): boolean {
		return this.#leaving.has(nameOf(ref));
	}

	/** @returns a function that ends the removal, completed or not; undefined if the list is in use. */
	beginRemoval(ref: ListRef): (() => void) | undefined {
		const name = nameOf(ref);
		if (this.#holders.has(name)) return undefined;
		this.#leaving.add(name);
		return () => this.#leaving.delete(name);
	}
}

function giveBack(counts: Map<string, number>, name: string): void {
	const left = (counts.get(name) ?? 0) - 1;
	if (left > 0) counts.set(name, left);
	else counts.delete(name);
}
