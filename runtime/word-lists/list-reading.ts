/**
 * Reads the stored lists of one request within the limits of one request. They are read synchronously (a start message is answered in the same turn of the event loop),
 * so both their number and their total size are limited.
 */
import { CodedError } from "../errors.js";
import { listsMaxOfRequest } from "../session/request-options.js";
import type { WordListRow } from "../store/word-lists.js";
import type { ListKind } from "../words/list-key.js";
import type { WordList } from "../words/word-list.js";
import type { WordListKinds } from "./kinds.js";
import type { ListCache } from "./list-cache.js";

/** Of one kind: entries, or wrong forms of corrections; more could not be applied in time. */
const formsMax = 100_000;
/** In all lists, UTF-16 units; read in about 20 ms. */
const unitsMax = 4_000_000;

export class ListReading {
	readonly #cache: ListCache;
	readonly #kinds: WordListKinds;
	readonly #lists = new Map<ListKind, number>();
	readonly #forms = new Map<ListKind, number>();
	#units = 0;

	constructor(cache: ListCache, kinds: WordListKinds) {
		this.#cache = cache;
		this.#kinds = kinds;
	}

	/** Those without entries, too: a request that names one uses it. @throws CodedError 200002 if they are too many or too long. */
	readAll(rows: readonly WordListRow[], kind: ListKind): WordList[] {
		if (rows.length > listsMaxOfRequest) throw this.#tooMany(kind, rows.length);
		const entries = rows.reduce((sum, row) => sum + row.amount, 0);
		if (entries > formsMax)
			throw this.#refused(kind, `${formsMax} entries`, entries);
		return rows.map((row) => this.read(row, kind));
	}

	/** The first of them, as many as the limits have room for beside those that were read before. */
	readFirst(rows: readonly WordListRow[], kind: ListKind): WordList[] {
		const lists: WordList[] = [];
		const room = listsMaxOfRequest - (this.#lists.get(kind) ?? 0);
		let entries = this.#forms.get(kind) ?? 0;
		for (const row of rows.slice(0, room)) {
			entries += row.amount;
			if (entries > formsMax) break;
			if (row.amount === 0) continue;
			const { list, fault } = this.#take(row, kind);
			if (fault) break;
			lists.push(list);
		}
		return lists;
	}

	/** @throws CodedError 200002 */
	read(row: WordListRow, kind: ListKind): WordList {
		const { list, fault } = this.#take(row, kind);
		if (fault) throw fault;
		return list;
	}

	#take(
		row: WordListRow,
		kind: ListKind,
	): { readonly list: WordList; readonly fault?: CodedError } {
		const { list, forms, units } = this.#cache.read(row, kind);
		const formsOfKind = (this.#forms.get(kind) ?? 0) + forms;
		const unitsInAll = this.#units + units;
		if (formsOfKind > formsMax)
			return {
				list,
				fault: this.#refused(kind, `${formsMax} wrong forms`, formsOfKind),
			};
		if (unitsInAll > unitsMax)
			return {
				list,
				fault: this.#refused(kind, `${unitsMax} characters`, unitsInAll),
			};
		this.#lists.set(kind, (this.#lists.get(kind) ?? 0) + 1);
		this.#forms.set(kind, formsOfKind);
		this.#units = unitsInAll;
		return { list };
	}

	#tooMany(kind: ListKind, got: number): CodedError {
		const param = this.#kinds[kind].idParameter;
		return new CodedError(
			"200002",
			`${param} must name at most ${listsMaxOfRequest} lists, got ${got}`,
			{ param },
		);
	}

	#refused(kind: ListKind, most: string, got: number): CodedError {
		const param = this.#kinds[kind].idParameter;
		return new CodedError(
			"200002",
			`${param} must name lists of at most ${most} together, got ${got}`,
			{ param },
		);
	}
}
