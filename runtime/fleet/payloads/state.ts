/** How the device is: `status`, `health`, `metrics`. */
import { type Static, Type } from "@sinclair/typebox";
import { schema, timeMs } from "./schema-version.js";

const count = (description?: string) =>
	Type.Integer({ minimum: 0, ...(description && { description }) });

export const statusPayload = Type.Union(
	[
		Type.Object({
			schema,
			state: Type.Literal("online"),
			at_ms: timeMs("When it was told"),
			version: Type.String(),
			model: Type.String(),
			languages: Type.Array(Type.String()),
			uptime_seconds: count(),
			load: Type.Object({
				streams: count(
					"Being recognised: streams, short requests, microphones.",
				),
				streams_max: count(),
				files_running: count(),
				files_waiting: count(),
			}),
		}),
		Type.Object({
			schema,
			state: Type.Literal("offline", {
				description: "Said by the broker (last will), or at a stop.",
			}),
		}),
	],
	{ title: "Whether the device is there" },
);

const microphone = Type.Object({
	phase: Type.String({
		description:
			"starting, listening, muted, waiting-for-talk, waiting-for-engine, no-device, stopped",
	}),
	muted: Type.Boolean(),
	trouble: Type.Optional(Type.String()),
	code: Type.Optional(Type.String({ description: "ALSA's name of it." })),
	warnings: Type.Array(Type.String()),
	xruns: count(),
	lost_seconds: Type.Number({ minimum: 0 }),
});

export const healthPayload = Type.Object(
	{
		schema,
		at_ms: timeMs("When it was told"),
		ok: Type.Boolean(),
		checks: Type.Array(
			Type.Object({
				name: Type.String(),
				ok: Type.Boolean(),
				says: Type.String(),
			}),
		),
		microphones: Type.Record(Type.String(), microphone),
	},
	{ title: "Whether all of it works" },
);

export const metricsPayload = Type.Object(
	{
		schema,
		at_ms: timeMs("When it was told"),
		uptime_seconds: count(),
		resident_bytes: count("Of the main process."),
		lanes: Type.Record(
			Type.String(),
			Type.Object({
				busy: count(),
				slots: count(),
				queued: count(),
				refused: count("Since the start."),
				engine_deaths: count("Since the start."),
				engine_restarts: count("Since the start."),
			}),
			{ description: "By name: live, batch." },
		),
		files: Type.Object({
			failed: count(),
			completed: count(),
			running: count(),
			waiting: count(),
			audio_seconds: Type.Number({ minimum: 0 }),
		}),
		outbox: Type.Object({
			waiting: count(),
			bytes: count(),
			dead_letters: count(),
			delivered: count("Since the start."),
			dropped: count("Since the start, for want of room."),
		}),
		connections: count("To the broker, since the start."),
		topics_refused: count(
			"Messages that were not sent, for they would go to what is no topic.",
		),
		commands: Type.Object({
			done: count(),
			failed: count(
				"Answered with an error, or not carried out for where the answer was to go.",
			),
			dropped: count("Too many a second, or retained."),
		}),
		shared: Type.Object({
			lent: count("Files of ours that others work on."),
			borrowed: count("Files of others that we work on."),
			given: count("Leases given since the start."),
			taken: count("Leases taken since the start."),
			lost: count("Leases that ended before their file was done."),
			ignored: count(
				"Messages about them that were too many, or made no sense.",
			),
		}),
	},
	{ title: "Figures" },
);

export type StatusMessage = Static<typeof statusPayload>;
export type HealthMessage = Static<typeof healthPayload>;
export type MetricsMessage = Static<typeof metricsPayload>;
