/** Adds one entry to a list of the device, or to a new one. */
import type { ListChanged } from "../../../api/word-lists/schemas.js";
import { data } from "../../app/api.js";
import { droppedText } from "../../parts/dropped-entries.js";

export interface NewList {
	readonly lang_type: string;
	readonly name: string;
}

/**
 * @param list its id; undefined: a new one is made, and none where the entry is refused.
 * @returns why the device left the entry out; empty: it is in the list. @throws ApiError
 */
export async function addEntry(
	kind: "hotwords" | "correction-words",
	entry: string,
	list: string | undefined,
	newList: NewList,
): Promise<string> {
	const words = [entry];
	const { id, dropped } = await data<ListChanged>(
		list === undefined ? `v1/${kind}` : `v1/${kind}/${list}`,
		{
			method: "POST",
			query: { show_dropped: "true" },
			json: list === undefined ? { ...newList, words } : { words },
		},
	);
	// who adds what is there already has what was wanted
	const refused = dropped.filter(({ reason }) => reason !== "duplicate");
	if (refused.length > 0 && list === undefined)
		await data(`v1/${kind}/${id}`, { method: "DELETE" });
	return droppedText(refused);
}
