/** Metrics of the store's own backup. */
import type { Series } from "./metrics.js";

export interface BackupStats {
	/** Unix time of the current backup. */
	readonly madeSeconds: number | undefined;
	/** Why a backup that was due was not made. */
	readonly skipped: string | undefined;
}

export const backupSeries: readonly Series<BackupStats>[] = [
	{
		kind: "gauge",
		name: "backup_timestamp_seconds",
		help: "When the store's own backup was made, Unix time; 0: no backup.",
		labels: [],
		values: ({ madeSeconds = 0 }) => [[{}, madeSeconds]],
	},
	{
		kind: "gauge",
		name: "backup_skipped",
		help: "1 where a backup is due and was not made: no room for it, or rows that can't be read.",
		labels: [],
		values: ({ skipped }) => [[{}, skipped === undefined ? 0 : 1]],
	},
];
