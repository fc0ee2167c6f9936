/**
 * `GET /metrics`: what the server does, in Prometheus text. The only file that knows prom-client.
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
import type { Route } from "./router.js";

/** What a lane says of itself. */
export interface LaneFigures {
	readonly lane: string;
	readonly slots: number;
	readonly busy: number;
	readonly queued: number;
	/** Since the start. */
	readonly refused: number;
	readonly restarts: number;
	readonly deaths: number;
	readonly load:
		| {
				readonly rssBytes: number;
				readonly audioSeconds: number;
				readonly decodeSeconds: number;
		  }
		| undefined;
}

/** What file transcription says of itself. */
export interface TaskFigures {
	/** By state: 0 failed, 1 completed, 2 processing, 3 queued. */
	readonly tasks: Readonly<Record<0 | 1 | 2 | 3, number>>;
	readonly callbacksWaiting: number;
	/** Transcribed since the start. */
	readonly audioSeconds: number;
}

/** What a server says of itself. */
export interface ServerFigures {
	readonly connections: number;
	readonly requestsOpen: number;
}

/** What is left to say of a streaming session. */
export interface EndedSession {
	readonly namespace: string;
	readonly status: string;
	readonly audioMs: number;
}

/** One figure of all things of a kind, looked up when somebody asks. */
export interface Series<Thing> {
	readonly kind: "gauge" | "counter";
	/** Behind `earshot_`. */
	readonly name: string;
	readonly help: string;
	readonly labels: readonly string[];
	values(
		thing: Thing,
	): Iterable<readonly [labels: Record<string, string>, value: number]>;
}

/** Each look wakes the processor of a device that has nothing to do. */
const lagResolutionMs = 50;
/** prom-client has a timer of its own for the same; it can't be had without, and it need not run. */
const defaultLagResolutionMs = 60_000;
const defaultLags = ["min", "max", "mean", "stddev", "p50", "p90", "p99"];

const taskStates = {
	0: "failed",
	1: "completed",
	2: "processing",
	3: "queued",
} as const;

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
		help: "Audio recognised for short requests.",
		registers: [this.#registry],
	});
	readonly #realTimeFactor = new Histogram({
		name: "earshot_recognition_real_time_factor",
		help: "Seconds from slot asked to result, for each second of audio of a short request.",
		buckets: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
		registers: [this.#registry],
	});

	readonly #sessions = new Counter({
		name: "earshot_live_sessions_total",
		help: "Streaming sessions that ended, by what their client was told; gone: it left before.",
		labelNames: ["namespace", "status"],
		registers: [this.#registry],
	});
	readonly #liveAudio = new Counter({
		name: "earshot_live_audio_seconds_total",
		help: "Audio recognised in streaming sessions that ended.",
		registers: [this.#registry],
	});

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

	recognised(audioSeconds: number, tookSeconds: number): void {
		this.#audio.inc(audioSeconds);
		if (audioSeconds > 0)
			this.#realTimeFactor.observe(tookSeconds / audioSeconds);
	}

	watchLanes(figures: () => readonly LaneFigures[]): void {
		const shape = (name: string, help: string) => ({
			name: `earshot_${name}`,
			help,
			labelNames: ["lane"],
			registers: [this.#registry],
		});
		type Value = (lane: LaneFigures) => number;
		const gauge = (name: string, help: string, value: Value) =>
			new Gauge({
				...shape(name, help),
				collect() {
					for (const lane of figures())
						this.set({ lane: lane.lane }, value(lane));
				},
			});
		const counter = (name: string, help: string, value: Value) =>
			new Counter({
				...shape(name, help),
				collect() {
					this.reset(); // the lane has done the counting
					for (const lane of figures())
						this.inc({ lane: lane.lane }, value(lane));
				},
			});
		gauge("lane_slots", "Recognitions that fit.", (it) => it.slots);
		gauge("lane_slots_busy", "Recognitions under way.", (it) => it.busy);
		gauge("lane_queue", "Requests waiting for a slot.", (it) => it.queued);
		gauge(
			"engine_resident_memory_bytes",
			"Resident memory of the engine.",
			(it) => it.load?.rssBytes ?? 0,
		);
		counter(
			"lane_refused_total",
			"Requests told that there is no slot.",
			(it) => it.refused,
		);
		counter(
			"engine_restarts_total",
			"Engines started after the first.",
			(it) => it.restarts,
		);
		counter(
			"engine_deaths_total",
			"Engines that died without being asked to.",
			(it) => it.deaths,
		);
		counter(
			"engine_audio_seconds_total",
			"Audio decoded by the engine now running.",
			(it) => it.load?.audioSeconds ?? 0,
		);
		counter(
			"engine_decode_seconds_total",
			"Time it spent decoding.",
			(it) => it.load?.decodeSeconds ?? 0,
		);
	}

	watch<Thing>(
		series: readonly Series<Thing>[],
		things: () => readonly Thing[],
	): void {
		for (const { kind, name, help, labels, values } of series) {
			const shape = {
				...{ name: `earshot_${name}`, help, labelNames: [...labels] },
				registers: [this.#registry],
			};
			const all = () => things().flatMap((it) => [...values(it)]);
			if (kind === "gauge")
				new Gauge({
					...shape,
					collect() {
						this.reset(); // what is not there any more is not told
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

	watchSessions(counts: () => ReadonlyMap<string, number>): void {
		new Gauge({
			name: "earshot_live_sessions",
			help: "Open streaming sessions, by where their protocol stands.",
			labelNames: ["state"],
			registers: [this.#registry],
			collect() {
				for (const [state, count] of counts()) this.set({ state }, count);
			},
		});
	}

	watchTasks(figures: () => TaskFigures): void {
		const registers = [this.#registry];
		new Gauge({
			name: "earshot_tasks",
			help: "Files to be transcribed, and finished ones that are kept.",
			labelNames: ["state"],
			registers,
			collect() {
				const { tasks } = figures();
				for (const [state, name] of Object.entries(taskStates))
					this.set({ state: name }, tasks[Number(state) as 0 | 1 | 2 | 3]);
			},
		});
		new Gauge({
			name: "earshot_callbacks_waiting",
			help: "Callbacks that were not delivered yet.",
			registers,
			collect() {
				this.set(figures().callbacksWaiting);
			},
		});
		new Counter({
			name: "earshot_task_audio_seconds_total",
			help: "Audio of files transcribed since the start.",
			registers,
			collect() {
				this.reset(); // counted elsewhere
				this.inc(figures().audioSeconds);
			},
		});
	}

	watchServer(figures: () => ServerFigures): void {
		const gauge = (
			name: string,
			help: string,
			value: (server: ServerFigures) => number,
		) =>
			new Gauge({
				name: `earshot_http_${name}`,
				help,
				registers: [this.#registry],
				collect() {
					this.set(value(figures()));
				},
			});
		gauge("connections", "Open connections.", (it) => it.connections);
		gauge("requests_open", "Requests under way.", (it) => it.requestsOpen);
	}

	text(): Promise<string> {
		return this.#registry.metrics();
	}

	close(): void {
		this.#lag.disable();
		this.#registry.clear();
	}

	/** Since the last look. Node counts its own timer's period as delay: taken off here. */
	#watchLag(): void {
		const lag = this.#lag;
		new Gauge({
			name: "earshot_event_loop_lag_seconds",
			help: "How late the event loop was, since the last look.",
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
			summary: "Figures for Prometheus",
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
