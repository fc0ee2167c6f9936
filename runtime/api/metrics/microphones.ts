/** Metrics of the microphones. */
import type { Series } from "./metrics.js";

/** Stats of a microphone. */
export interface MicrophoneSeriesStats {
	/** Its id. */
	readonly microphone: string;
	readonly phase: string;
	/** Of each channel in the last second; empty while no audio arrives. */
	readonly levelsDbfs: readonly number[];
	/** Undefined until it is known. */
	readonly driftPpm?: number;
	/** All of these since the start. */
	readonly xruns: number;
	readonly suspends: number;
	readonly lostSeconds: number;
	readonly reconnects: number;
	readonly deaths: number;
	/** Events sent, by kind. */
	readonly events: Readonly<Record<string, number>>;
}

type One = Series<MicrophoneSeriesStats>;

const single =
	(value: (it: MicrophoneSeriesStats) => number): One["values"] =>
	(it) => [[{ microphone: it.microphone }, value(it)]];

export const microphoneSeries: readonly One[] = [
	{
		kind: "gauge",
		name: "microphone_state",
		help: "1 for the current state of the microphone.",
		labels: ["microphone", "state"],
		values: ({ microphone, phase }) => [[{ microphone, state: phase }, 1]],
	},
	{
		kind: "gauge",
		name: "microphone_level_dbfs",
		help: "RMS level of a channel in the last second; absent while no audio arrives.",
		labels: ["microphone", "channel"],
		values: ({ microphone, levelsDbfs }) =>
			levelsDbfs.map((level, channel) => [
				{ microphone, channel: String(channel) },
				level,
			]),
	},
	{
		kind: "gauge",
		name: "microphone_clock_drift_ppm",
		help: "Drift of the card's clock against the system's; positive: the card is fast.",
		labels: ["microphone"],
		values: ({ microphone, driftPpm }) =>
			driftPpm === undefined ? [] : [[{ microphone }, driftPpm]],
	},
	{
		kind: "counter",
		name: "microphone_overruns_total",
		help: "Times that the card's buffer overran before it was read.",
		labels: ["microphone"],
		values: single((it) => it.xruns),
	},
	{
		kind: "counter",
		name: "microphone_suspends_total",
		help: "Times that the card was suspended with the system.",
		labels: ["microphone"],
		values: single((it) => it.suspends),
	},
	{
		kind: "counter",
		name: "microphone_lost_seconds_total",
		help: "Audio that was lost: the card overran, or it was not read in time.",
		labels: ["microphone"],
		values: single((it) => it.lostSeconds),
	},
	{
		kind: "counter",
		name: "microphone_reconnects_total",
		help: "Times that the device was opened again.",
		labels: ["microphone"],
		values: single((it) => it.reconnects),
	},
	{
		kind: "counter",
		name: "microphone_capture_deaths_total",
		help: "Capture processes that ended without being asked to.",
		labels: ["microphone"],
		values: single((it) => it.deaths),
	},
	{
		kind: "counter",
		name: "microphone_events_total",
		help: "Events of the microphone, by kind.",
		labels: ["microphone", "event"],
		values: ({ microphone, events }) =>
			Object.entries(events).map(([event, count]) => [
				{ microphone, event },
				count,
			]),
	},
];
