/**
 * What uses each stored list, for whoever wants to change or delete it: microphones and endpoints whose configuration names it, file tasks that wait for it,
 * recognitions that run.
 */
import type { ListNames, ListReferences } from "../session/options.js";
import type { WordListRow } from "../store/word-lists.js";
import type { Language } from "../text/languages.js";
import type { ListKind } from "../words/list-key.js";
import type { ListUsage } from "../words/list-usage.js";

/** A microphone of the configuration, and the lists that it names. */
export interface ReferringMicrophone {
	readonly id: string;
	readonly room: string;
	readonly language: Language | undefined;
	readonly references: ListReferences;
}

type Listed = Pick<WordListRow, "id" | "language">;

export interface ListUse {
	readonly kind: ListKind;
	readonly id: string;
	/** Held now: it can't be deleted. */
	readonly isHeld: boolean;
	/** Unfinished file tasks. Not which: an id opens a transcript. */
	readonly tasks: number;
	readonly microphones: readonly ReferringMicrophone[];
	/** `endpoints.*` names it. */
	readonly isOfEndpoints: boolean;
}

/** Where the configuration names lists. */
export interface ConfiguredUses {
	readonly microphones: readonly ReferringMicrophone[];
	readonly endpoints: ListNames;
}

/** @param rows of one kind. @returns only lists that something uses. */
export function usesOf(
	kind: ListKind,
	rows: readonly Listed[],
	usage: Pick<ListUsage, "isUsed" | "tasksOf">,
	{ microphones, endpoints }: ConfiguredUses,
): readonly ListUse[] {
	return rows
		.map((row) => ({
			kind,
			id: row.id,
			isHeld: usage.isUsed({ kind, id: row.id }),
			tasks: usage.tasksOf({ kind, id: row.id }),
			microphones: microphones.filter((it) => names(it, kind, row)),
			isOfEndpoints: isNamed(namedBy(endpoints, kind), kind, row),
		}))
		.filter((it) => it.isHeld || it.microphones.length > 0 || it.isOfEndpoints);
}

export function names(
	{ references, language }: ReferringMicrophone,
	kind: ListKind,
	row: Listed,
): boolean {
	const named = namedBy(references, kind);
	const isAll = named === "all" && kind !== "hotwords";
	return isNamed(named, kind, row) && (!isAll || row.language === language);
}

/** @param ids separated by bars, or `all`, of whatever language. */
function isNamed(
	ids: string | undefined,
	kind: ListKind,
	{ id }: Pick<Listed, "id">,
): boolean {
	if (ids === "all" && kind !== "hotwords") return true;
	return ids?.split("|").includes(id) ?? false;
}

function namedBy(
	references: Omit<ListReferences, "hotwordsWeight">,
	kind: ListKind,
): string | undefined {
	switch (kind) {
		case "hotwords": // those that are written down take precedence
			return references.hotwordsList?.length
				? undefined
				: references.hotwordsId;
		case "correction-words":
			return references.correctionWordsId;
		case "forbidden-words":
			return references.forbiddenWordsId;
	}
}
