/** What `GET /metrics` says of connections, requests and streaming sessions. */
import type { Series } from "./metrics.js";

/** What a server says of itself. */
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

/** How many sessions stand where in their protocol. */
export const sessionSeries: readonly Series<ReadonlyMap<string, number>>[] = [
	{
		kind: "gauge",
		name: "live_sessions",
		help: "Open streaming sessions, by where their protocol stands.",
		labels: ["state"],
		values: (counts) =>
			[...counts].map(([state, count]) => [{ state }, count] as const),
	},
];
