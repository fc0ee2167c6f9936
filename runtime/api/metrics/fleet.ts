/** Metrics of the connection to the fleet's broker. */
import type { Series } from "./metrics.js";

/** Stats of the fleet; counts are since the start, except those of what is pending now. */
export interface FleetSeriesStats {
	/** The broker has accepted the connection. */
	readonly isUp: boolean;
	readonly connections: number;
	/** Messages that were not sent because their topic is not valid. */
	readonly topics_refused: number;
	readonly outbox: {
		/** Messages that the broker has not acknowledged. */
		readonly waiting: number;
		readonly bytes: number;
		/** Messages that were set aside. */
		readonly dead_letters: number;
		readonly delivered: number;
		readonly dropped: number;
	};
	readonly commands: {
		readonly done: number;
		readonly failed: number;
		readonly dropped: number;
	};
	readonly shared: {
		/** Files lent to other devices. */
		readonly lent: number;
		/** Files borrowed from other devices. */
		readonly borrowed: number;
		readonly given: number;
		readonly taken: number;
		readonly lost: number;
		readonly ignored: number;
	};
}

type One = Series<FleetSeriesStats>;

const plain = (
	kind: One["kind"],
	name: string,
	help: string,
	value: (it: FleetSeriesStats) => number,
): One => ({
	kind,
	name: `fleet_${name}`,
	help,
	labels: [],
	values: (it) => [[{}, value(it)]],
});

export const fleetSeries: readonly One[] = [
	plain("gauge", "up", "1 while connected to the broker.", (it) =>
		Number(it.isUp),
	),
	plain(
		"counter",
		"connections_total",
		"Connections to the broker.",
		(it) => it.connections,
	),
	plain(
		"counter",
		"topics_refused_total",
		"Messages that were not sent because their topic is not valid.",
		(it) => it.topics_refused,
	),
	plain(
		"gauge",
		"outbox_messages",
		"Messages that the broker has not acknowledged.",
		(it) => it.outbox.waiting,
	),
	plain(
		"gauge",
		"outbox_bytes",
		"Size of these messages.",
		(it) => it.outbox.bytes,
	),
	plain(
		"gauge",
		"dead_letters",
		"Undeliverable messages that were set aside.",
		(it) => it.outbox.dead_letters,
	),
	plain(
		"counter",
		"delivered_total",
		"Messages that the broker acknowledged.",
		(it) => it.outbox.delivered,
	),
	plain(
		"counter",
		"dropped_total",
		"Sentences lost because the outbox or the disk was full.",
		(it) => it.outbox.dropped,
	),
	{
		kind: "counter",
		name: "fleet_commands_total",
		help: "Commands received over the broker, by outcome.",
		labels: ["outcome"],
		values: ({ commands }) => [
			[{ outcome: "done" }, commands.done],
			[{ outcome: "failed" }, commands.failed],
			[{ outcome: "dropped" }, commands.dropped],
		],
	},
	{
		kind: "gauge",
		name: "fleet_shared_files",
		help: "Files shared between devices now: lent to others, borrowed from them.",
		labels: ["direction"],
		values: ({ shared }) => [
			[{ direction: "lent" }, shared.lent],
			[{ direction: "borrowed" }, shared.borrowed],
		],
	},
	{
		kind: "counter",
		name: "fleet_leases_total",
		help: "Leases of shared files: given, taken, and lost before the file was done.",
		labels: ["event"],
		values: ({ shared }) => [
			[{ event: "given" }, shared.given],
			[{ event: "taken" }, shared.taken],
			[{ event: "lost" }, shared.lost],
		],
	},
	plain(
		"counter",
		"shared_messages_ignored_total",
		"Messages of other devices about shared files that were over the limit or invalid.",
		(it) => it.shared.ignored,
	),
];
