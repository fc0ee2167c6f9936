/** The state of the device: `status`, `health`, `metrics`. */
import { type Static, Type } from "@sinclair/typebox";
import { schema, timeMs } from "./schema-version.js";

const count = (description?: string) =>
	Type.Integer({ minimum: 0, ...(description && { description }) });

export const statusPayload = Type.Union(
	[
		Type.Object({
			schema,
			state: Type.Literal("online"),
			at_ms: timeMs("When it was published"),
			version: Type.String(),
			model: Type.String(),
			languages: Type.Array(Type.String()),
			uptime_seconds: count(),
			https: Type.Optional(
				Type.Object(
					{
						port: count(),
						certificate_sha256: Type.String({
							description: "Fingerprint of the certificate.",
						}),
						authority_sha256: Type.Optional(
							Type.String({
								description:
									"Fingerprint of the device's own authority; absent with the operator's certificate.",
							}),
						),
						valid_to_ms: timeMs("When the certificate expires"),
					},
					{ description: "Absent where HTTPS is off." },
				),
			),
			update: Type.Optional(
				Type.Object(
					{
						trial: Type.Optional(
							Type.Object(
								{ from: Type.String(), to: Type.String() },
								{
									description:
										"Versions of an update that has not proved itself.",
								},
							),
						),
						refused: Type.Optional(
							Type.Object(
								{
									version: Type.String(),
									why: Type.String(),
									at_ms: timeMs("When the version before was restored"),
								},
								{
									description:
										"The last update that was rolled back, until the device has that version or a later one.",
								},
							),
						),
					},
					{ description: "Absent where there is nothing to report." },
				),
			),
			load: Type.Object({
				streams: count(
					"Recognitions in progress: streams, short requests, microphones.",
				),
				streams_max: count(),
				files_running: count(),
				files_waiting: count(),
			}),
		}),
		Type.Object({
			schema,
			state: Type.Literal("offline", {
				description: "Published by the broker (last will), or at shutdown.",
			}),
		}),
	],
	{ title: "Whether the device is online" },
);

const microphone = Type.Object({
	phase: Type.String({
		description:
			"starting, listening, waiting-for-wake-word, muted, waiting-for-talk, waiting-for-engine, no-device, stopped",
	}),
	muted: Type.Boolean(),
	trouble: Type.Optional(Type.String()),
	code: Type.Optional(
		Type.String({ description: "ALSA's name of the error." }),
	),
	warnings: Type.Array(Type.String()),
	xruns: count(),
	lost_seconds: Type.Number({ minimum: 0 }),
});

export const healthPayload = Type.Object(
	{
		schema,
		at_ms: timeMs("When it was published"),
		ok: Type.Boolean(),
		checks: Type.Array(
			Type.Object({
				name: Type.String(),
				ok: Type.Boolean(),
				says: Type.String({ description: "One sentence for people." }),
				code: Type.String({
					description: "What `says` says, for programs; as of `GET /healthz`.",
				}),
				values: Type.Record(Type.String(), Type.Unknown(), {
					description: "What differs from case to case.",
				}),
			}),
		),
		microphones: Type.Record(Type.String(), microphone),
	},
	{ title: "Whether everything works" },
);

export const metricsPayload = Type.Object(
	{
		schema,
		at_ms: timeMs("When it was published"),
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
			dropped: count(
				"Since the start, because the outbox or the disk was full.",
			),
		}),
		connections: count("To the broker, since the start."),
		topics_refused: count(
			"Messages that were not sent because their topic is invalid.",
		),
		commands: Type.Object({
			done: count(),
			failed: count(
				"Answered with an error, or ignored because of their response topic.",
			),
			dropped: count("Above the rate limit, or retained."),
		}),
		shared: Type.Object({
			lent: count("Files of this device that others transcribe."),
			borrowed: count("Files of others that this device transcribes."),
			given: count("Leases given since the start."),
			taken: count("Leases taken since the start."),
			lost: count("Leases that ended before their file was finished."),
			ignored: count(
				"Messages about shared files that were over the limit or invalid.",
			),
		}),
	},
	{ title: "Stats" },
);

export type StatusMessage = Static<typeof statusPayload>;
export type HealthMessage = Static<typeof healthPayload>;
export type MetricsMessage = Static<typeof metricsPayload>;
