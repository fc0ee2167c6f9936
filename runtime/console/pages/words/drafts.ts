/** Entries that were changed and are not saved, kept as long as the page is open: whoever goes to another page finds them again. */
import { signal } from "@preact/signals";
import { ofVisitor } from "../../app/session.js";

interface Draft {
	readonly entries: readonly string[];
	/** What was stored when they were changed. */
	readonly base: readonly string[];
}

const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

addEventListener("beforeunload", (event) => {
	// the browser asks whether to leave
	if ([...drafts.value.keys()].some((it) => it.startsWith(ofVisitor())))
		event.preventDefault();
});

export function hasDraft(kind: string, id: string): boolean {
	return drafts.value.has(keyOf(kind, id));
}

/** @param stored entries of the list now: what was added or removed elsewhere since is so in the draft as well. */
export function draftOf(
	kind: string,
	id: string,
	stored: readonly string[],
): readonly string[] | undefined {
	const draft = drafts.value.get(keyOf(kind, id));
	if (!draft) return undefined;
	const [base, now] = [new Set(draft.base), new Set(stored)];
	const mine = new Set(draft.entries);
	return [
		...stored.filter((it) => !base.has(it) && !mine.has(it)),
		...draft.entries.filter((it) => now.has(it) || !base.has(it)),
	];
}

/** @param entries undefined: they are saved, or not wanted any more. @param base the stored ones that they began as */
export function keepDraft(
	kind: string,
	id: string,
	entries: readonly string[] | undefined,
	base: readonly string[] = [],
): void {
	const next = new Map(drafts.value);
	if (entries) next.set(keyOf(kind, id), { entries, base });
	else next.delete(keyOf(kind, id));
	drafts.value = next;
}

function keyOf(kind: string, id: string): string {
	return `${ofVisitor()}${kind}/${id}`;
}
