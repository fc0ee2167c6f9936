/**
 * `GET /metrics`: metrics of the server in Prometheus text. Only this folder uses prom-client. Events are counted here; numbers that other parts count
 * are read at each scrape, through the series described in the other files of this folder.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Type } from "@sinclair/typebox";
import {
	Counter,
	collectDefaultMetrics,
	Gauge,
	Histogram,
	Registry,
} from "prom-client";
import type { Route } from "../router.js";
import { CountedEndpoints, type EndpointMetrics } from "./endpoints.js";

/** Summary of a streaming session. */
export interface EndedSession {
	readonly namespace: string;
	readonly status: string;
	readonly audioMs: number;
}

/** One metric of all sources of a kind, read at each scrape. */
export interface Series<Source> {
	readonly kind: "gauge" | "counter";
	/** Without the prefix `earshot_`. */
	readonly name: string;
	readonly help: string;
	readonly labels: readonly string[];
	values(
		source: Source,
	): Iterable<readonly [labels: Record<string, string>, value: number]>;
}

/** Each sample wakes the processor of an idle device. */
const lagResolutionMs = 50;
/** prom-client has its own timer for the same lag, which can't be turned off: it is slowed down instead. */
const defaultLagResolutionMs = 60_000;
const defaultLags = ["min", "max", "mean", "stddev", "p50", "p90", "p99"];

export class Metrics {
	readonly #registry = new Registry();
	readonly #lag = monitorEventLoopDelay({ resolution: lagResolutionMs });
	readonly #requests = new Counter({
		name: "earshot_http_requests_total",
		help: "Requests answered, by route and status code of the envelope.",
		labelNames: ["method", "route", "http", "status"],
		registers: [this.#registry],
	});
	readonly #latency = new Histogram({
		name: "earshot_http_request_seconds",
		help: "Time from a request's headers to its answer.",
		labelNames: ["route"],
		buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10, 30, 60],
		registers: [this.#registry],
	});
	readonly #audio = new Counter({
		name: "earshot_recognised_audio_seconds_total",
		help: "Audio recognized for short requests.",
		registers: [this.#registry],
	});
	readonly #realTimeFactor = new Histogram({
		name: "earshot_recognition_real_time_factor",
		help: "Seconds from the request for a slot to the result, for each second of audio of a short request.",
		buckets: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
		registers: [this.#registry],
	});

	readonly #sessions = new Counter({
		name: "earshot_live_sessions_total",
		help: "Streaming sessions that ended, by the status sent to the client; gone: it disconnected before.",
		labelNames: ["namespace", "status"],
		registers: [this.#registry],
	});
	readonly #liveAudio = new Counter({
		name: "earshot_live_audio_seconds_total",
		help: "Audio recognized in streaming sessions that ended.",
		registers: [this.#registry],
	});

	/** Of every endpoint, by its name. */
	readonly endpoints: EndpointMetrics = new CountedEndpoints(this.#registry);

	constructor() {
		collectDefaultMetrics({
			register: this.#registry,
			eventLoopMonitoringPrecision: defaultLagResolutionMs,
		});
		for (const name of defaultLags)
			this.#registry.removeSingleMetric(`nodejs_eventloop_lag_${name}_seconds`);
		this.#lag.enable();
		this.#watchLag();
	}

	answered(
		method: string,
		route: string,
		http: number,
		status: string,
		seconds: number,
	): void {
		this.#requests.inc({ method, route, http, status });
		this.#latency.observe({ route }, seconds);
	}

	audioRecognized(audioSeconds: number, tookSeconds: number): void {
		this.#audio.inc(audioSeconds);
		if (audioSeconds > 0)
			this.#realTimeFactor.observe(tookSeconds / audioSeconds);
	}

	watch<Source>(
		series: readonly Series<Source>[],
		sources: () => readonly Source[],
	): void {
		for (const { kind, name, help, labels, values } of series) {
			const shape = {
				name: `earshot_${name}`,
				help,
				labelNames: [...labels],
				registers: [this.#registry],
			};
			const all = () => sources().flatMap((source) => [...values(source)]);
			if (kind === "gauge")
				new Gauge({
					...shape,
					collect() {
						this.reset(); // removes sources that no longer exist
						for (const [label, value] of all()) this.set(label, value);
					},
				});
			else
				new Counter({
					...shape,
					collect() {
						this.reset(); // counted elsewhere
						for (const [label, value] of all()) this.inc(label, value);
					},
				});
		}
	}

	sessionEnded(ending: EndedSession): void {
		const { namespace, status, audioMs } = ending;
		this.#sessions.inc({ namespace, status });
		this.#liveAudio.inc(audioMs / 1000);
	}

	text(): Promise<string> {
		return this.#registry.metrics();
	}

	close(): void {
		this.#lag.disable();
		this.#registry.clear();
	}

	/** Lag since the last scrape. Node counts its own timer's period as delay: it is subtracted here. */
	#watchLag(): void {
		const lag = this.#lag;
		new Gauge({
			name: "earshot_event_loop_lag_seconds",
			help: "How late the event loop was, since the last scrape.",
			labelNames: ["quantile"],
			registers: [this.#registry],
			collect() {
				for (const percent of [50, 99, 100]) {
					const lateMs = lag.percentile(percent) / 1e6 - lagResolutionMs;
					this.set({ quantile: percent / 100 }, Math.max(0, lateMs) / 1000);
				}
				lag.reset();
			},
		});
	}
}

export function metricsRoute(metrics: Metrics): Route {
	return {
		method: "GET",
		path: "/metrics",
		access: "open",
		description: {
			summary: "Metrics for Prometheus",
			answer: Type.String(),
			answerType: "text/plain",
			errors: [],
		},
		handle: async () => ({
			http: 200,
			headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" },
			body: await metrics.text(),
		}),
	};
}
