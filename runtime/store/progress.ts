/** How far something is that may take minutes on a slow card: told several times a second while it gets on. */
export interface StoreProgress {
	/** Reading a database, or copying a backup into its place. */
	readonly doing: "checking" | "restoring";
	/** Of `total`: rows, or bytes. */
	readonly done: number;
	readonly total: number;
}
