/** Metrics of connections, requests and streaming sessions. */
import type { Series } from "./metrics.js";

/** Stats of a server. */
export interface ServerStats {
	readonly connections: number;
	readonly requestsOpen: number;
}

export const serverSeries: readonly Series<ServerStats>[] = [
	{
		kind: "gauge",
		name: "http_connections",
		help: "Open connections.",
		labels: [],
		values: ({ connections }) => [[{}, connections]],
	},
	{
		kind: "gauge",
		name: "http_requests_open",
		help: "Requests under way.",
		labels: [],
		values: ({ requestsOpen }) => [[{}, requestsOpen]],
	},
];

/** Number of sessions in each state of the protocol. */
export const sessionSeries: readonly Series<ReadonlyMap<string, number>>[] = [
	{
		kind: "gauge",
		name: "live_sessions",
		help: "Open streaming sessions, by state of their protocol.",
		labels: ["state"],
		values: (counts) =>
			[...counts].map(([state, count]) => [{ state }, count] as const),
	},
];
