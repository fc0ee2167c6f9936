/** Finds the rows of stored lists by the ids that a request or the configuration has: one, several between bars, or `all`. */
import { CodedError } from "../errors.js";
import type { WordListRepository, WordListRow } from "../store/word-lists.js";
import type { Language } from "../text/languages.js";
import type { ListKind } from "../words/list-key.js";
import type { ListUsage } from "../words/list-usage.js";
import type { WordListKinds } from "./kinds.js";

export interface ListRowsParts {
	readonly kinds: WordListKinds;
	readonly repositories: Readonly<
		Record<ListKind, Pick<WordListRepository, "find" | "list">>
	>;
	readonly usage: Pick<ListUsage, "isLeaving">;
}

export class ListRows {
	readonly #parts: ListRowsParts;

	constructor(parts: ListRowsParts) {
		this.#parts = parts;
	}

	/**
	 * @param ids separated by bars, or `all`: every list of the first language.
	 * @param languages those that may be spoken.
	 * @throws CodedError for one that is missing or of another language
	 */
	named(
		kind: ListKind,
		ids: string,
		languages: readonly Language[],
	): WordListRow[] {
		return ids === "all"
			? this.allOf(kind, languages.slice(0, 1))
			: [...new Set(ids.split("|"))].map((id) =>
					this.find(kind, id, languages),
				);
	}

	/** What `all` means beside those of `named`: every list of the other languages. */
	others(
		kind: ListKind,
		ids: string | undefined,
		languages: readonly Language[],
	): WordListRow[] {
		return ids === "all" ? this.allOf(kind, languages.slice(1)) : [];
	}

	/**
	 * As `named` for several languages, without lists that are missing or of another one. Of hotwords, of which a recognition uses one database, the first one
	 * of the first language that has any.
	 * @param notes gets what is missing or not used.
	 */
	there(
		kind: ListKind,
		ids: string,
		languages: readonly Language[],
		notes: string[],
	): WordListRow[] {
		if (ids === "all" && kind !== "hotwords")
			return this.allOf(kind, languages);
		const { what, idParameter } = this.#parts.kinds[kind];
		const found: WordListRow[] = [];
		for (const id of new Set(ids.split("|"))) {
			const row = this.#row(kind, id);
			if (row) found.push(row);
			else notes.push(`${idParameter}: ${what} ${id} does not exist`);
		}
		const rows = languages.map((language) =>
			found.filter((row) => row.language === language),
		);
		if (kind !== "hotwords") return rows.flat();
		const [first, ...others] = rows.find((it) => it.length > 0) ?? [];
		if (others.length > 0)
			notes.push(
				`${idParameter}: only the first database of ${first?.language} is used`,
			);
		return first ? [first] : [];
	}

	/** Those of one language after those of another, oldest first. */
	allOf(kind: ListKind, languages: readonly Language[]): WordListRow[] {
		return languages.flatMap((it) => this.#all(kind, it));
	}

	#all(kind: ListKind, language: Language): WordListRow[] {
		const { repositories, usage } = this.#parts;
		return repositories[kind]
			.list()
			.filter((row) => row.language === language)
			.filter(({ id }) => !usage.isLeaving({ kind, id }))
			.reverse();
	}

	/** @throws CodedError 210404, 211404, 212404; 200002 for a list of another language */
	find(
		kind: ListKind,
		id: string,
		languages: readonly Language[],
	): WordListRow {
		const { what, status, idParameter } = this.#parts.kinds[kind];
		const row = this.#row(kind, id);
		if (!row)
			throw new CodedError(status.missing, `${what} ${id} does not exist`, {
				param: idParameter,
			});
		if (languages.some((it) => it === row.language)) return row;
		throw new CodedError(
			"200002",
			`${idParameter} must be of the language of lang_type, ${languages.join(" or ")}; ${id} is ${row.language}`,
			{ param: idParameter },
		);
	}

	#row(kind: ListKind, id: string): WordListRow | undefined {
		const { repositories, usage } = this.#parts;
		return usage.isLeaving({ kind, id })
			? undefined
			: repositories[kind].find(id);
	}
}
