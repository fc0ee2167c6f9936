/** How the device is, gathered from every part when somebody looks: for the API and the console. */
import { statfs } from "node:fs/promises";
import {
	availableParallelism,
	cpus,
	freemem,
	loadavg,
	totalmem,
} from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type {
	HttpInterface,
	LastCall,
	LastCalls,
} from "../api/access/last-calls.js";
import { microphoneSummary } from "../api/device/microphones.js";
import type { DeviceStatus, MicrophoneLevels } from "../api/device/status.js";
import type { ListenerStats } from "../api/listeners/listener-stats.js";
import type { InstalledModels } from "../api/openai/models.js";
import type { ClockTrust } from "../clock/trust.js";
import type { Config } from "../config/schema.js";
import type { ConfiguredLane } from "../engine/from-config.js";
import type { EngineIdentity, EngineLoad } from "../engine/protocol.js";
import type { HttpsState } from "../fleet/appliance-port.js";
import type { Microphones } from "../microphones/microphones.js";
import type { AudioShelf } from "../store/audio-shelf.js";
import type { FileService } from "../tasks/file-service.js";
import type { HealthChecks } from "./health-checks.js";
import type { Naming } from "./naming.js";
import type { Updates } from "./updates.js";

export interface DeviceStatusParts {
	readonly config: Config;
	readonly version: string;
	readonly languages: readonly string[];
	readonly live: ConfiguredLane;
	readonly batch: ConfiguredLane;
	readonly files: Pick<FileService, "stats">;
	readonly shelf: Pick<AudioShelf, "bytes">;
	readonly clock: { readonly trust: ClockTrust };
	readonly healthChecks: HealthChecks;
	readonly models: InstalledModels;
	readonly microphones: Pick<Microphones, "stats">;
	readonly https: () => HttpsState | undefined;
	readonly isConnected: () => boolean;
	readonly updates: Pick<Updates, "state">;
	readonly naming: Pick<Naming, "now">;
	readonly port: () => number | undefined;
	readonly listeners: () => readonly ListenerStats[];
	readonly lastCalls: Pick<LastCalls, "of">;
}

const lagResolutionMs = 20;
/** Reading every manifest takes the disk a moment. */
const modelsFreshMs = 10_000;

export class DeviceStatuses {
	readonly #parts: DeviceStatusParts;
	readonly #sinceMs = performance.now();
	readonly #lag = monitorEventLoopDelay({ resolution: lagResolutionMs });
	#lagUntilMs = 0;
	#models: DeviceStatus["models"] = [];
	#modelsMs = Number.NEGATIVE_INFINITY;

	constructor(parts: DeviceStatusParts) {
		this.#parts = parts;
	}

	async status(): Promise<DeviceStatus> {
		const { config, version, languages, files, clock } = this.#parts;
		const { live, batch, healthChecks, isConnected } = this.#parts;
		const disk = await statfs(config.state.dir);
		return {
			device: this.#parts.naming.now.name,
			version,
			at: Math.floor(Date.now() / 1000),
			uptime_seconds: Math.floor((performance.now() - this.#sinceMs) / 1000),
			clock: { is_trusted: clock.trust.isTrusted, says: clock.trust.says },
			checks: [...healthChecks.health()],
			languages: [...languages],
			models: await this.#installed(),
			lanes: [live, batch].map(laneStatus),
			files: { ...files.stats.tasks },
			processor: {
				model: cpus()[0]?.model ?? "",
				cores: availableParallelism(),
				load: loadavg()[0] ?? 0,
			},
			memory: {
				total_bytes: totalmem(),
				free_bytes: freemem(),
				resident_bytes: process.memoryUsage.rss(),
			},
			lag_ms: this.#lagMs(),
			disk: {
				total_bytes: disk.blocks * disk.bsize,
				free_bytes: disk.bavail * disk.bsize,
				audio_bytes: this.#parts.shelf.bytes,
			},
			microphones: this.#parts.microphones.stats.map(microphoneSummary),
			endpoints: this.#endpoints(),
			https: this.#https(),
			update: await this.#parts.updates.state(),
			fleet: { configured: config.fleet.url !== "", connected: isConnected() },
		};
	}

	levels(): readonly MicrophoneLevels[] {
		return this.#parts.microphones.stats.map((it) => ({
			id: it.microphone,
			levels_dbfs: it.momentLevelsDbfs,
		}));
	}

	async #installed(): Promise<DeviceStatus["models"]> {
		if (performance.now() - this.#modelsMs < modelsFreshMs) return this.#models;
		this.#modelsMs = performance.now();
		const found = await this.#parts.models().catch(() => []);
		this.#models = found.map(
			({ name, active, megabytes, languages, source }) => ({
				name,
				active,
				megabytes,
				source,
				languages: [...languages],
			}),
		);
		return this.#models;
	}

	/** Measured only while somebody looks: each sample wakes the processor. */
	#lagMs(): number {
		const { max } = this.#lag;
		const lateMs = this.#lag.percentile(99) / 1e6 - lagResolutionMs;
		const isOld = performance.now() > this.#lagUntilMs;
		this.#lagUntilMs = performance.now() + 5000;
		this.#lag.reset();
		if (isOld) {
			this.#lag.enable();
			setTimeout(() => this.#rest(), 6000).unref();
		}
		return isOld || max === 0 ? 0 : Math.max(0, Math.round(lateMs * 10) / 10);
	}

	#rest(): void {
		if (performance.now() > this.#lagUntilMs) this.#lag.disable();
		else setTimeout(() => this.#rest(), 6000).unref();
	}

	#endpoints(): DeviceStatus["endpoints"] {
		const { config, port, listeners, lastCalls } = this.#parts;
		const stats = new Map(listeners().map((it) => [it.endpoint, it]));
		const own = (["wyoming", "vosk", "audiosocket", "ingress"] as const).map(
			(name) => {
				const { enabled, host, port } = config[name];
				const { connectionsOpen = null, last } = stats.get(name) ?? {};
				return {
					name,
					address: enabled ? `${host}:${port}` : "",
					connections: connectionsOpen,
					last_call: shownCall(last),
				};
			},
		);
		const { server, tls, endpoints, calls } = config;
		const served: readonly (readonly [HttpInterface, string])[] = [
			["http", `${server.host}:${port() ?? server.port}`],
			["https", tls.port ? `${server.host}:${tls.port}` : ""],
			["openai", endpoints.openai ? "/v1/audio" : ""],
			["realtime", endpoints.realtime ? "/v1/realtime" : ""],
			["calls", calls.enabled ? "/v1/calls/ws" : ""],
		];
		return [
			...served.map(([name, address]) => ({
				name,
				address,
				connections: null,
				last_call: shownCall(lastCalls.of(name)),
			})),
			...own,
		];
	}

	#https(): DeviceStatus["https"] {
		const state = this.#parts.https();
		if (!state) return null;
		return {
			port: state.port,
			certificate_sha256: state.certificateSha256,
			authority_sha256: state.authoritySha256 ?? "",
			valid_to: Math.floor(state.validToMs / 1000),
		};
	}
}

function shownCall(call?: Omit<LastCall, "name"> & Partial<LastCall>) {
	if (!call) return null;
	const { atSeconds, address, name = "" } = call;
	return { at: Math.floor(atSeconds), address, name };
}

function laneStatus({ lane: { state } }: ConfiguredLane) {
	const { lane, phase, slots, busy, queued, refused, deaths, restarts } = state;
	return {
		lane,
		phase,
		slots,
		busy,
		queued,
		refused,
		deaths,
		restarts,
		resident_bytes: state.load?.rssBytes ?? 0,
		processors: state.identity ? processorsOf(state.identity) : [],
		real_time_factor: realTimeFactor(state.load),
	};
}

/** Where there was no choice, the CPU. */
function processorsOf({ processors }: EngineIdentity): string[] {
	const used = new Set(processors.map((it) => it.used));
	return used.size > 0 ? [...used] : ["cpu"];
}

function realTimeFactor(load: EngineLoad | undefined): number | null {
	if (!load || load.audioSeconds === 0) return null;
	return Math.round((load.decodeSeconds / load.audioSeconds) * 1000) / 1000;
}
