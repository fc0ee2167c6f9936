/**
 * `GET /v1/status`, and the same once a second as server-sent events, with the microphones' levels ten times a second between them: how the device is. The
 * composition root says it.
 */
import { type Static, Type } from "@sinclair/typebox";
import { sleepUnlessAborted } from "../../event-loop/sleep.js";
import { success } from "../envelope.js";
import type { ApiRequest, ApiResponse, Principal } from "../exchange.js";
import { checkSchema } from "../health.js";
import type { Route } from "../router.js";
import { isInForce } from "../while-in-force.js";
import { levelsMs } from "./microphone-endpoint.js";
import { microphoneSummarySchema } from "./microphones.js";

const count = Type.Integer({ minimum: 0 });

const statusSchema = Type.Object({
	device: Type.String(),
	version: Type.String(),
	at: Type.Integer({ description: "Unix time, seconds" }),
	uptime_seconds: count,
	clock: Type.Object({ is_trusted: Type.Boolean(), says: Type.String() }),
	checks: Type.Array(checkSchema),
	languages: Type.Array(Type.String()),
	models: Type.Array(
		Type.Object({
			name: Type.String(),
			active: Type.Boolean(),
			megabytes: Type.Number(),
			languages: Type.Array(Type.String()),
			source: Type.String(),
		}),
	),
	lanes: Type.Array(
		Type.Object({
			lane: Type.String(),
			phase: Type.String(),
			slots: count,
			busy: count,
			queued: count,
			refused: count,
			deaths: count,
			restarts: count,
			resident_bytes: count,
			processors: Type.Array(Type.String(), {
				description: "that its model's graphs run on; empty: none runs",
			}),
			real_time_factor: Type.Union([Type.Number(), Type.Null()], {
				description:
					"seconds of decoding for a second of audio, since its engine began; null: it has heard nothing",
			}),
		}),
	),
	files: Type.Object({
		failed: count,
		completed: count,
		processing: count,
		queued: count,
	}),
	processor: Type.Object({
		model: Type.String(),
		cores: count,
		load: Type.Number({ description: "of the last minute" }),
	}),
	memory: Type.Object({
		total_bytes: count,
		free_bytes: count,
		resident_bytes: count,
	}),
	lag_ms: Type.Number({ description: "of the main process, 99th percentile" }),
	disk: Type.Object({
		total_bytes: count,
		free_bytes: count,
		audio_bytes: count,
	}),
	microphones: Type.Array(microphoneSummarySchema),
	endpoints: Type.Array(
		Type.Object({
			name: Type.String(),
			address: Type.String({ description: "empty: it is off" }),
			connections: Type.Union([count, Type.Null()]),
			last_call: Type.Union(
				[
					Type.Object({
						at: Type.Integer({ description: "Unix time, seconds" }),
						address: Type.String(),
						name: Type.String({
							description: "of the token; empty where none is sent",
						}),
					}),
					Type.Null(),
				],
				{ description: "since the start; what only looks does not count" },
			),
		}),
	),
	https: Type.Union([
		Type.Object({
			port: count,
			certificate_sha256: Type.String(),
			authority_sha256: Type.String({ description: "empty: not its own" }),
			valid_to: Type.Integer({ description: "Unix time, seconds" }),
		}),
		Type.Null(),
	]),
	update: Type.Object({
		is_executable: Type.Boolean({
			description: "false: a checkout, which earshot update leaves alone",
		}),
		has_previous: Type.Boolean(),
		trial: Type.Union([
			Type.Object({ from: Type.String(), to: Type.String() }),
			Type.Null(),
		]),
		refused: Type.Union([
			Type.Object({
				version: Type.String(),
				why: Type.String(),
				at: Type.Integer({ description: "Unix time, seconds" }),
			}),
			Type.Null(),
		]),
	}),
	fleet: Type.Object({
		configured: Type.Boolean(),
		connected: Type.Boolean(),
	}),
});

const sampleSchema = Type.Object({
	at: Type.Integer({ description: "Unix time, seconds" }),
	load: Type.Number({ description: "of the last minute" }),
	memory_used: Type.Number({ description: "0 to 1 of all memory" }),
	lag_ms: Type.Number({
		description: "the longest of the main process since the last sample",
	}),
});

export type DeviceStatus = Static<typeof statusSchema>;
export type StatusSample = Static<typeof sampleSchema>;

export interface MicrophoneLevels {
	readonly id: string;
	readonly levels_dbfs: readonly number[];
}

export interface StatusSource {
	status(): Promise<DeviceStatus>;
	/** Of each microphone at this moment. Made anew ten times a second for each that follows. */
	levels(): readonly MicrophoneLevels[];
	/** Oldest first. */
	history(): readonly StatusSample[];
	/** Aborted when the server begins to stop: streams end then. */
	readonly stopping: AbortSignal;
}

const everyMs = 1000;

export function statusRoutes(source: StatusSource): readonly Route[] {
	return [
		{
			method: "GET",
			path: "/v1/status",
			access: "status",
			description: {
				summary: "How the device is",
				answer: statusSchema,
				errors: [],
			},
			handle: async () => success(await source.status()),
		},
		{
			method: "GET",
			path: "/v1/status/history",
			access: "status",
			description: {
				summary: "Load, memory and lag of the last hour, twice a minute",
				answer: Type.Array(sampleSchema),
				errors: [],
			},
			handle: async () => success(source.history()),
		},
		{
			method: "GET",
			path: "/v1/status/events",
			access: "status",
			description: {
				summary:
					"The same once a second, as server-sent events, and ten times a second an event levels",
				answer: Type.String({
					description:
						"event levels, where there are microphones: [{id, levels_dbfs}] of this moment",
				}),
				answerType: "text/event-stream",
				errors: [],
			},
			handle: async ({ request, principal }) =>
				events(request, principal, source),
		},
	];
}

function events(
	request: ApiRequest,
	principal: Principal,
	source: StatusSource,
): ApiResponse {
	const signal = AbortSignal.any([request.signal, source.stopping]);
	return {
		http: 200,
		headers: {
			"Content-Type": "text/event-stream; charset=utf-8",
			"Cache-Control": "no-store",
			"X-Accel-Buffering": "no",
		},
		body: { pieces: () => everySecond(source, principal, signal) },
	};
}

async function* everySecond(
	source: StatusSource,
	principal: Principal,
	signal: AbortSignal,
): AsyncGenerator<string> {
	while (!signal.aborted && isInForce(principal)) {
		yield `data: ${JSON.stringify(await source.status())}\n\n`;
		let waitedMs = 0;
		for (; waitedMs < everyMs && !signal.aborted; waitedMs += levelsMs) {
			const levels = source.levels();
			if (levels.length === 0) break; // without microphones nothing wakes the loop in between
			yield `event: levels\ndata: ${JSON.stringify(levels)}\n\n`;
			await sleepUnlessAborted(levelsMs, signal);
		}
		if (waitedMs < everyMs)
			await sleepUnlessAborted(everyMs - waitedMs, signal);
	}
}
