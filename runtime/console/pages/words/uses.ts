/** What uses the lists now, in words. */
import type { DescribedUse } from "../../../api/word-lists/uses.js";
import { data } from "../../app/api.js";
import { list } from "../../texts/texts.js";
import { type ListKind, wordsTexts } from "./texts.js";

export function loadUses(): Promise<readonly DescribedUse[]> {
	return data<readonly DescribedUse[]>("v1/word-lists/uses");
}

export function useOf(
	uses: readonly DescribedUse[],
	kind: ListKind,
	id: string,
): DescribedUse | undefined {
	return uses.find((it) => it.kind === kind && it.id === id);
}

/** @returns "" if nothing uses it. */
export function usedBy(use: DescribedUse | undefined): string {
	if (!use) return "";
	const m = wordsTexts();
	const { microphones, endpoints, tasks, in_use } = use;
	const users = [
		...(microphones.length > 0
			? [m.byMicrophones(list(microphones.map((it) => it.room || it.id)))]
			: []),
		...(endpoints ? [m.byEndpoints] : []),
		...(tasks > 0 ? [m.byFiles(tasks)] : []),
	];
	// held, and not by microphones or files: by speech that is recognized now
	if (in_use && microphones.length === 0 && tasks === 0) users.push(m.bySpeech);
	return m.usedBy(users.join(m.and));
}
