/** Metrics of the connections of endpoints that have a listener of their own; endpoints.ts has what they all have. */
import type { Series } from "./metrics.js";

/** Stats of a listener; counts are since the start, but for `connectionsOpen`. */
export interface ListenerSeriesStats {
	readonly endpoint: string;
	readonly connectionsOpen: number;
	readonly connections: number;
	readonly refusals: ReadonlyMap<string, number>;
}

type One = Series<ListenerSeriesStats>;

const single =
	(value: (it: ListenerSeriesStats) => number): One["values"] =>
	(it) => [[{ endpoint: it.endpoint }, value(it)]];

export const listenerSeries: readonly One[] = [
	{
		kind: "gauge",
		name: "endpoint_connections",
		help: "Open connections of an endpoint with a listener of its own.",
		labels: ["endpoint"],
		values: single((it) => it.connectionsOpen),
	},
	{
		kind: "counter",
		name: "endpoint_connections_total",
		help: "Connections that such an endpoint accepted.",
		labels: ["endpoint"],
		values: single((it) => it.connections),
	},
	{
		kind: "counter",
		name: "endpoint_refused_total",
		help: "Connections that it refused: of a network that is not allowed, or because it was full.",
		labels: ["endpoint", "why"],
		values: ({ endpoint, refusals }) =>
			[...refusals].map(([why, count]) => [{ endpoint, why }, count] as const),
	},
];
