/**
 * Operations on the lists of one kind (docs/interface.md section 4.1): checks entries, limits and use before the store is changed.
 *
 * INVARIANTS
 * - Filtering comes before the limits. A request that exceeds a limit changes nothing.
 * - A list in use may be changed: its users keep the version they have. Only removing it is refused.
 * - Every token with the scope sees and changes every list: the interface has no owners. A list's owner only matters for the quota.
 */

import { CodedError } from "../errors.js";
import { inSlices } from "../event-loop/slices.js";
import type { Owner } from "../owner.js";
import { isDamage } from "../store/store-error.js";
import type {
	Decide,
	StoredWordList,
	WordListChange,
	WordListRepository,
	WordListRow,
} from "../store/word-lists.js";
import type { Language } from "../text/languages.js";
import { columnsOf, type EntryRule, keyOf } from "../words/entry.js";
import type { Drops } from "../words/entry-filter.js";
import { listIdCharactersMax } from "../words/list-key.js";
import type { ListUsage } from "../words/list-usage.js";
import {
	EntrySelection,
	type GivenWords,
	type KeywordSource,
} from "./entry-selection.js";
import type { WordListKind } from "./kinds.js";
import { isListId, randomId } from "./list-id.js";

export interface ServiceParts {
	readonly kind: WordListKind;
	readonly repository: WordListRepository;
	readonly usage: ListUsage;
	readonly extractor: KeywordSource;
	/** A list was created, or its entries have changed; it is on the disk. */
	readonly onChanged: (row: WordListRow) => void;
}

export interface Changed {
	readonly id: string;
	/** Number of entries after the change. */
	readonly amount: number;
	readonly drops: Drops | undefined;
}

export interface NewList {
	readonly id: string | undefined;
	readonly name: string;
	readonly language: Language;
	readonly given: GivenWords;
	/** The creator. */
	readonly owner: Owner;
}

export interface ListQuery {
	/** Part of the name, in any case, or the whole id. */
	readonly name: string | undefined;
	readonly language: Language | undefined;
	readonly pageSize: number;
	/** From 1. */
	readonly pageIndex: number;
}

export interface ListPage {
	/** Lists that match. */
	readonly amount: number;
	/** Lists in all. */
	readonly used: number;
	readonly rows: readonly WordListRow[];
}

export class WordListService {
	readonly kind: WordListKind;
	readonly #repository: WordListRepository;
	readonly #usage: ListUsage;
	readonly #selection: EntrySelection;
	readonly #onChanged: (row: WordListRow) => void;

	constructor(parts: ServiceParts) {
		const { kind, repository, usage, extractor, onChanged } = parts;
		this.kind = kind;
		this.#repository = repository;
		this.#usage = usage;
		this.#onChanged = onChanged;
		this.#selection = new EntrySelection(kind, extractor);
	}

	async create(request: NewList): Promise<Changed> {
		const { name, language, given, owner } = request;
		const id = request.id ?? this.#freeId();
		if (this.kind.reservedIds.includes(id))
			throw this.#malformed(`id must not be "${id}": it stands for every list`);
		if (this.#repository.find(id)) throw this.#exists(id);
		const filter = await this.#selection.select([], language, given);
		const entries = this.#selection.limited(filter);
		const asRow = { id, name, language, entries, owner };
		const row = await this.#repository.create(asRow, now());
		if (!row) throw this.#exists(id);
		this.#onChanged(row);
		return { id, amount: row.amount, drops: filter.drops };
	}

	/** @param given replaces all entries; undefined: they stay. */
	async modify(
		id: string,
		name: string | undefined,
		given: GivenWords | undefined,
	): Promise<Changed> {
		return this.#change(id, async (row) => {
			const filter =
				given && (await this.#selection.select([], languageOf(row), given));
			return {
				change: {
					...(name !== undefined && { name }),
					...(filter && { entries: this.#selection.limited(filter) }),
				},
				drops: filter?.drops,
			};
		});
	}

	async add(id: string, given: GivenWords): Promise<Changed> {
		return this.#change(id, async (row, entries) => {
			const filter = await this.#selection.select(
				entries(),
				languageOf(row),
				given,
			);
			return {
				change: { entries: this.#selection.limited(filter) },
				drops: filter.drops,
			};
		});
	}

	async removeEntries(id: string, words: readonly string[]): Promise<Changed> {
		return this.#change(id, async (row, entries) => {
			const remaining = new Map<string, string>();
			await inSlices(entries(), (it) => remaining.set(keyOf(it), it));
			const rule = this.kind.rule(languageOf(row));
			await inSlices(words, (it) =>
				remaining.delete(keyOf(asStored(rule, it))),
			);
			const change = { entries: [...remaining.values()] };
			return { change, drops: undefined };
		});
	}

	async remove(id: string): Promise<void> {
		this.#checkId(id);
		let ended: (() => void) | undefined;
		try {
			const existed = await this.#repository.remove(id, () => {
				ended = this.#usage.beginRemoval({ kind: this.kind.kind, id });
				if (!ended)
					throw new CodedError(
						this.kind.status.inUse,
						`${this.kind.what} ${id} is in use and can't be deleted`,
					);
			});
			if (!existed) throw this.#missing(id);
		} finally {
			ended?.();
		}
	}

	read(id: string): StoredWordList {
		this.#checkId(id);
		const list = this.#repository.read(id);
		if (!list || this.#usage.isLeaving({ kind: this.kind.kind, id }))
			throw this.#missing(id);
		return list;
	}

	page({ name, language, pageSize, pageIndex }: ListQuery): ListPage {
		const all = this.#repository.list();
		const part = name?.toLowerCase();
		const rows = all.filter(
			(row) =>
				(language === undefined || row.language === language) &&
				(part === undefined ||
					row.id === name ||
					row.name.toLowerCase().includes(part)),
		);
		const start = (pageIndex - 1) * pageSize;
		return {
			amount: rows.length,
			used: all.length,
			rows: rows.slice(start, start + pageSize),
		};
	}

	isUsed(id: string): boolean {
		return this.#usage.isUsed({ kind: this.kind.kind, id });
	}

	async #change(
		id: string,
		decide: Decide<{ change: WordListChange; drops: Drops | undefined }>,
	): Promise<Changed> {
		this.#checkId(id);
		let drops: Drops | undefined;
		let hasNewEntries = false;
		const decided: Decide<WordListChange> = async (list, entries) => {
			const { change, drops: dropped } = await decide(list, entries);
			drops = dropped;
			const { entries: wanted, ...others } = change;
			hasNewEntries = wanted !== undefined && !isThere(wanted, list, entries);
			return hasNewEntries ? change : others;
		};
		const row = await this.#repository.change(id, decided, now);
		if (!row) throw this.#missing(id);
		if (hasNewEntries) this.#onChanged(row);
		return { id, amount: row.amount, drops };
	}

	#freeId(): string {
		for (;;) {
			const id = randomId(this.kind.idPrefix);
			if (!this.#repository.find(id)) return id;
		}
	}

	#checkId(id: string): void {
		if (isListId(id)) return;
		throw this.#malformed(
			`${this.kind.idParameter} must be 1 to ${listIdCharactersMax} letters, digits, _ and - characters`,
		);
	}

	#malformed(message: string): CodedError {
		return new CodedError(this.kind.status.malformed, message);
	}

	#missing(id: string): CodedError {
		const message = `${this.kind.what} ${id} does not exist`;
		return new CodedError(this.kind.status.missing, message);
	}

	#exists(id: string): CodedError {
		const message = `${this.kind.what} ${id} exists already`;
		return new CodedError(this.kind.status.exists, message);
	}
}

/** With the same entries nothing changes for those who use the list. Entries that can't be read are not there: writing them again mends the list. */
function isThere(
	wanted: readonly string[],
	{ amount }: WordListRow,
	entries: () => readonly string[],
): boolean {
	if (wanted.length !== amount) return false;
	try {
		const there = entries();
		return wanted.every((it, i) => it === there[i]);
	} catch (error) {
		if (isDamage(error)) return false;
		throw error;
	}
}

/** An entry as stored; one that is too long for the present rules may be stored as it was written. */
function asStored(rule: EntryRule, given: string): string {
	const verdict = rule(given);
	if ("entry" in verdict) return verdict.entry;
	return verdict.dropped === "too long"
		? given.trim()
		: columnsOf(given).join(",");
}

function languageOf({ language }: WordListRow): Language {
	return language as Language; // only canonical values are stored
}

function now(): number {
	return Date.now() / 1000;
}
