/** Metrics of the machine's clock. */
import type { Series } from "./metrics.js";

export interface ClockStats {
	readonly isTrusted: boolean;
	readonly isSynchronised: boolean;
	readonly countsAges: boolean;
}

export const clockSeries: readonly Series<ClockStats>[] = [
	{
		kind: "gauge",
		name: "clock_trusted",
		help: "1 where the machine's clock agrees with what is known of time.",
		labels: [],
		values: ({ isTrusted }) => [[{}, isTrusted ? 1 : 0]],
	},
	{
		kind: "gauge",
		name: "clock_synchronised",
		help: "1 where the machine's clock is synchronised with a time source.",
		labels: [],
		values: ({ isSynchronised }) => [[{}, isSynchronised ? 1 : 0]],
	},
	{
		kind: "gauge",
		name: "clock_ages_counted",
		help: "0 for an hour after the clock jumped by more than a day: nothing is removed for its age.",
		labels: [],
		values: ({ countsAges }) => [[{}, countsAges ? 1 : 0]],
	},
];
