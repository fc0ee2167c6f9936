/** How many pages a table of the database takes. */

/** Statistics of lmdb, missing in its types. */
export interface TableStats {
	readonly pageSize: number;
	readonly entryCount: number;
	readonly treeBranchPageCount: number;
	readonly treeLeafPageCount: number;
	/** Pages of rows that are too large to share a page. */
	readonly overflowPages: number;
	/** Of the whole file. */
	readonly lastPageNumber: number;
}

/** Size of all pages of a table. */
export function pageBytesOf(stats: TableStats): number {
	const { treeBranchPageCount, treeLeafPageCount, overflowPages } = stats;
	return (
		(treeBranchPageCount + treeLeafPageCount + overflowPages) * stats.pageSize
	);
}
