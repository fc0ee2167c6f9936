/** The word lists of a kind that the device stores: all of them, in as many requests as it takes. */
import type { DescribedList, ListPage } from "../../api/word-lists/schemas.js";
import { data } from "../app/api.js";

/** As many as one answer may have. */
const pageSize = 100;

/** @throws ApiError */
export async function storedLists(
	kind: string,
): Promise<readonly DescribedList[]> {
	const lists = new Map<string, DescribedList>(); // one that is made meanwhile moves others to the next page
	for (let page = 1; ; page++) {
		const { list } = await data<ListPage>(`v1/${kind}`, {
			query: { page_size: String(pageSize), page_index: String(page) },
		});
		for (const it of list) lists.set(it.id, it);
		if (list.length < pageSize) return [...lists.values()];
	}
}
