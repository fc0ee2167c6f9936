/** Registers the metrics of an appliance's parts. */
import { type BackupStats, backupSeries } from "./backup.js";
import { type ClockStats, clockSeries } from "./clock.js";
import { type FleetSeriesStats, fleetSeries } from "./fleet.js";
import { type LaneSeriesStats, laneSeries } from "./lanes.js";
import { type ListenerSeriesStats, listenerSeries } from "./listeners.js";
import type { Metrics } from "./metrics.js";
import { type MicrophoneSeriesStats, microphoneSeries } from "./microphones.js";
import { type TaskStats, taskSeries } from "./tasks.js";

export interface WatchedParts {
	readonly lanes: () => readonly LaneSeriesStats[];
	readonly tasks: () => TaskStats;
	readonly clock: () => ClockStats;
	/** Of the store; absent: backups are off. */
	readonly backup?: () => BackupStats;
	/** Microphones with a standing recognition; absent: none. */
	readonly microphones?: () => readonly MicrophoneSeriesStats[];
	/** One entry, where a broker is configured. */
	readonly fleet?: () => readonly FleetSeriesStats[];
	/** Endpoints with a listener of their own; absent: none. */
	readonly listeners?: () => readonly ListenerSeriesStats[];
}

export function watchAppliance(metrics: Metrics, parts: WatchedParts): void {
	const { lanes, tasks, clock, backup, microphones, fleet } = parts;
	const { listeners } = parts;
	metrics.watch(laneSeries, lanes);
	metrics.watch(taskSeries, () => [tasks()]);
	metrics.watch(clockSeries, () => [clock()]);
	if (backup) metrics.watch(backupSeries, () => [backup()]);
	if (microphones) metrics.watch(microphoneSeries, microphones);
	if (listeners) metrics.watch(listenerSeries, listeners);
	if (fleet) metrics.watch(fleetSeries, fleet);
}
