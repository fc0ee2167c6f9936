/**
 * Reports the state of the device: at once on each new connection, when it changes, and periodically. Nothing is kept for later: only the current state counts.
 */
import type { MicrophoneState } from "../microphones/microphone-events.js";
import { warningText } from "../microphones/sound-warnings.js";
import type {
	AppliancePort,
	HttpsState,
	ProgramUpdates,
} from "./appliance-port.js";
import type { BrokerConnection } from "./broker/connection.js";
import { ConnectionLost } from "./broker/connection-lost.js";
import { schemaVersion } from "./payloads/schema-version.js";
import type {
	HealthMessage,
	MetricsMessage,
	StatusMessage,
} from "./payloads/state.js";
import type { Topics } from "./topics.js";

export type FleetStats = Pick<
	MetricsMessage,
	"outbox" | "connections" | "topics_refused" | "commands" | "shared"
>;

export interface ReporterParts {
	readonly topics: Topics;
	readonly appliance: AppliancePort;
	readonly stats: () => FleetStats;
	readonly everySeconds: number;
	readonly nowMs: () => number;
}

/** Changes within this time are reported together. */
const gatherMs = 100;

export class Reporter {
	readonly #parts: ReporterParts;
	readonly #sinceMs = performance.now();
	#connection: BrokerConnection | undefined;
	#every: NodeJS.Timeout | undefined;
	#soon: NodeJS.Timeout | undefined;
	#unsubscribe: () => void = () => {};

	constructor(parts: ReporterParts) {
		this.#parts = parts;
	}

	start(): void {
		const { appliance, everySeconds } = this.#parts;
		this.#unsubscribe = appliance.microphones.onEvent((event) => {
			if (event.is === "state") this.#reportSoon();
		});
		this.#every = setInterval(() => void this.#report(), everySeconds * 1000);
		this.#every.unref();
	}

	stop(): void {
		this.#unsubscribe();
		clearInterval(this.#every);
		clearTimeout(this.#soon);
		this.#connection = undefined;
	}

	/** Resolves when the broker has our status: from then on it accepts messages. @throws ConnectionLost */
	async publishStatus(connection: BrokerConnection): Promise<void> {
		this.#connection = connection;
		await this.#publishStatus(connection);
		void this.#report();
	}

	/** The status at shutdown; the broker publishes it as our last will where we can't. */
	static offline(): string {
		const message: StatusMessage = { schema: schemaVersion, state: "offline" };
		return JSON.stringify(message);
	}

	/** A visible state has changed. */
	#reportSoon(): void {
		this.#soon ??= setTimeout(() => {
			this.#soon = undefined;
			void this.#report();
		}, gatherMs);
	}

	async #report(): Promise<void> {
		const connection = this.#connection;
		if (!connection) return;
		const { topics } = this.#parts;
		try {
			await this.#publishStatus(connection);
			await this.#publish(connection, topics.health, this.#health(), 0);
			await this.#publish(connection, topics.metrics, this.#metrics(), 0);
		} catch (error) {
			if (!(error instanceof ConnectionLost)) throw error;
		}
	}

	async #publishStatus(connection: BrokerConnection): Promise<void> {
		const status = await this.#status();
		if (this.#connection !== connection) return; // it would be retained behind `offline`
		await this.#publish(connection, this.#parts.topics.status, status, 1);
	}

	async #publish(
		connection: BrokerConnection,
		topic: string,
		message: StatusMessage | HealthMessage | MetricsMessage,
		qos: 0 | 1,
	): Promise<void> {
		const retain = topic === this.#parts.topics.status;
		const payload = JSON.stringify(message);
		await connection.publish({ topic, payload, qos, retain });
	}

	async #status(): Promise<StatusMessage> {
		const { appliance, nowMs } = this.#parts;
		const update = updateOf(await appliance.updates());
		const [live] = appliance.lanes();
		const { tasks } = appliance.files();
		return {
			schema: schemaVersion,
			state: "online",
			at_ms: Math.round(nowMs()),
			version: appliance.version,
			model: appliance.model(),
			languages: [...appliance.languages],
			uptime_seconds: this.#uptimeSeconds(),
			...httpsOf(appliance.https()),
			...(update && { update }),
			load: {
				streams: live?.busy ?? 0,
				streams_max: live?.slots ?? 0,
				files_running: tasks.processing,
				files_waiting: tasks.queued,
			},
		};
	}

	#health(): HealthMessage {
		const { appliance, nowMs } = this.#parts;
		const checks = appliance
			.health()
			.map(({ name, ok, says, code, values }) => ({
				name,
				ok,
				says,
				code,
				values: { ...values },
			}));
		const microphones = [...appliance.microphones.states].map(
			([id, state]) => [id, shownMicrophone(state)] as const,
		);
		return {
			schema: schemaVersion,
			at_ms: Math.round(nowMs()),
			ok: checks.every((it) => it.ok),
			checks,
			microphones: Object.fromEntries(microphones),
		};
	}

	#metrics(): MetricsMessage {
		const { appliance, stats, nowMs } = this.#parts;
		const { tasks, audioSeconds } = appliance.files();
		const lanes = appliance.lanes().map((it) => [
			it.lane,
			{
				busy: it.busy,
				slots: it.slots,
				queued: it.queued,
				refused: it.refused,
				engine_deaths: it.deaths,
				engine_restarts: it.restarts,
			},
		]);
		return {
			schema: schemaVersion,
			at_ms: Math.round(nowMs()),
			uptime_seconds: this.#uptimeSeconds(),
			resident_bytes: process.memoryUsage.rss(),
			lanes: Object.fromEntries(lanes),
			files: {
				failed: tasks.failed,
				completed: tasks.completed,
				running: tasks.processing,
				waiting: tasks.queued,
				audio_seconds: audioSeconds,
			},
			...stats(),
		};
	}

	/** Not by the wall clock, which may be set. */
	#uptimeSeconds(): number {
		return Math.floor((performance.now() - this.#sinceMs) / 1000);
	}
}

function shownMicrophone(state: MicrophoneState) {
	return {
		phase: state.phase,
		muted: state.muted,
		...(state.trouble !== undefined && { trouble: state.trouble }),
		...(state.code !== undefined && { code: state.code }),
		warnings: state.warnings.map(warningText),
		xruns: state.xruns,
		lost_seconds: state.lostSeconds,
	};
}

/** @returns undefined where there is nothing to report. */
function updateOf({ trial, refused }: ProgramUpdates) {
	if (!trial && !refused) return undefined;
	return {
		...(trial && { trial }),
		...(refused && {
			refused: {
				version: refused.version,
				why: refused.why,
				at_ms: refused.at * 1000,
			},
		}),
	};
}

function httpsOf(state: HttpsState | undefined): {
	https?: NonNullable<Extract<StatusMessage, { state: "online" }>["https"]>;
} {
	if (!state) return {};
	const { port, certificateSha256, authoritySha256, validToMs } = state;
	return {
		https: {
			port,
			certificate_sha256: certificateSha256,
			...(authoritySha256 && { authority_sha256: authoritySha256 }),
			valid_to_ms: validToMs,
		},
	};
}
