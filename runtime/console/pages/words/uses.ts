/** What uses the lists now, in words. */
import { data } from "../../app/api.js";
import { list } from "../../texts/texts.js";
import { type ListKind, wordsTexts } from "./texts.js";

export interface ListUse {
	readonly kind: ListKind;
	readonly id: string;
	readonly in_use: boolean;
	readonly tasks: number;
	readonly microphones: readonly {
		readonly id: string;
		readonly room: string;
	}[];
}

export function loadUses(): Promise<readonly ListUse[]> {
	return data<readonly ListUse[]>("v1/word-lists/uses");
}

export function useOf(
	uses: readonly ListUse[],
	kind: ListKind,
	id: string,
): ListUse | undefined {
	return uses.find((it) => it.kind === kind && it.id === id);
}

/** @returns "" if nothing uses it. */
export function usedBy(use: ListUse | undefined): string {
	if (!use) return "";
	const m = wordsTexts();
	const { microphones, tasks, in_use } = use;
	const users = [
		...(microphones.length > 0
			? [m.byMicrophones(list(microphones.map((it) => it.room || it.id)))]
			: []),
		...(tasks > 0 ? [m.byFiles(tasks)] : []),
	];
	// held, and by neither of these: by speech that is recognized now
	if (in_use && users.length === 0) users.push(m.bySpeech);
	return m.usedBy(users.join(m.and));
}
