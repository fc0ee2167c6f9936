/**
 * Stored lists as recognitions use them: read when a recognition names one, and cached for the next. Entries stored before there were limits, or under other limits, stay in
 * the stored list but are left out here: no engine receives entries that would block it.
 */
import type { Logger } from "../log/log.js";
import type { WordListRepository, WordListRow } from "../store/word-lists.js";
import { type ListKind, storedKey } from "../words/list-key.js";
import type { WordList } from "../words/word-list.js";
import type { WordListKinds } from "./kinds.js";

/** In all cached lists together. */
const keptFormsMax = 200_000;

export interface UsedList {
	readonly list: WordList;
	/** Number of phrases searched for in a text: an entry, or each wrong form of a correction. */
	readonly forms: number;
	/** UTF-16 units of all entries. */
	readonly units: number;
}

export interface ListCacheParts {
	readonly kinds: WordListKinds;
	readonly repositories: Readonly<
		Record<ListKind, Pick<WordListRepository, "read">>
	>;
	readonly log: Pick<Logger, "warn">;
}

export class ListCache {
	readonly #parts: ListCacheParts;
	/** Least recently used first. */
	readonly #kept = new Map<string, UsedList>();
	#keptForms = 0;

	constructor(parts: ListCacheParts) {
		this.#parts = parts;
	}

	/** @param row as found. */
	read(row: WordListRow, kind: ListKind): UsedList {
		const ref = { kind, id: row.id };
		const known = this.#known(storedKey(ref, row.version));
		if (known) return known;
		const stored = this.#parts.repositories[kind].read(row.id);
		const key = storedKey(ref, stored?.row.version ?? row.version);
		const newer = this.#known(key); // the row was found before the list changed
		if (newer) return newer;
		const used = this.#usedOf(key, kind, stored?.entries ?? []);
		this.#keep(used);
		return used;
	}

	#known(key: string): UsedList | undefined {
		const known = this.#kept.get(key);
		if (!known) return undefined;
		this.#kept.delete(key); // moves it to the end
		this.#kept.set(key, known);
		return known;
	}

	#usedOf(key: string, kind: ListKind, stored: readonly string[]): UsedList {
		const { isUsable, countForms } = this.#parts.kinds[kind];
		const entries = stored.filter(isUsable);
		if (entries.length < stored.length)
			this.#parts.log.warn(
				{ list: key, entries: stored.length - entries.length },
				"entries beyond limits.correction_wrong_forms_max or limits.correction_bytes_max are not used",
			);
		let forms = 0;
		let units = 0;
		for (const entry of entries) {
			forms += countForms(entry);
			units += entry.length;
		}
		return { list: { key, entries }, forms, units };
	}

	#keep(used: UsedList): void {
		if (used.forms === 0) return; // it would never be dropped
		this.#kept.set(used.list.key, used);
		this.#keptForms += used.forms;
		for (const [key, { forms }] of this.#kept) {
			if (this.#keptForms <= keptFormsMax || key === used.list.key) return;
			this.#kept.delete(key);
			this.#keptForms -= forms;
		}
	}
}
