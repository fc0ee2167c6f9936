/** What /metrics looks up in the parts of an appliance. */
import { type BackupFigures, backupSeries } from "./backup.js";
import { type ClockFigures, clockSeries } from "./clock.js";
import { type FleetSeriesFigures, fleetSeries } from "./fleet.js";
import { type LaneFigures, laneSeries } from "./lanes.js";
import type { Metrics } from "./metrics.js";
import { type MicrophoneFigures, microphoneSeries } from "./microphones.js";
import { type TaskFigures, taskSeries } from "./tasks.js";

export interface WatchedParts {
	readonly lanes: () => readonly LaneFigures[];
	readonly tasks: () => TaskFigures;
	readonly clock: () => ClockFigures;
	/** Of the store; absent: none is made. */
	readonly backup?: () => BackupFigures;
	/** Standing sessions of this device; absent: none. */
	readonly microphones?: () => readonly MicrophoneFigures[];
	/** One, where there is a broker. */
	readonly fleet?: () => readonly FleetSeriesFigures[];
}

export function watchAppliance(metrics: Metrics, parts: WatchedParts): void {
	const { lanes, tasks, clock, backup, microphones, fleet } = parts;
	metrics.watch(laneSeries, lanes);
	metrics.watch(taskSeries, () => [tasks()]);
	metrics.watch(clockSeries, () => [clock()]);
	if (backup) metrics.watch(backupSeries, () => [backup()]);
	if (microphones) metrics.watch(microphoneSeries, microphones);
	if (fleet) metrics.watch(fleetSeries, fleet);
}
