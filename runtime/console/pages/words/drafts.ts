/** Entries that were changed and are not saved, kept as long as the page is open: whoever goes to another page finds them again. */
import { signal } from "@preact/signals";
import { session } from "../../app/session.js";

const drafts = signal<ReadonlyMap<string, readonly string[]>>(new Map());

addEventListener("beforeunload", (event) => {
	// the browser asks whether to leave
	if ([...drafts.value.keys()].some((it) => it.startsWith(ofVisitor())))
		event.preventDefault();
});

export function draftOf(
	kind: string,
	id: string,
): readonly string[] | undefined {
	return drafts.value.get(keyOf(kind, id));
}

/** @param entries undefined: they are saved, or not wanted any more */
export function keepDraft(
	kind: string,
	id: string,
	entries: readonly string[] | undefined,
): void {
	const next = new Map(drafts.value);
	if (entries) next.set(keyOf(kind, id), entries);
	else next.delete(keyOf(kind, id));
	drafts.value = next;
}

function keyOf(kind: string, id: string): string {
	return `${ofVisitor()}${kind}/${id}`;
}

/** Nobody else who signs in sees them. */
function ofVisitor(): string {
	return `${session.value?.name ?? ""}\n`;
}
