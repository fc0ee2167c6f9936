/** The checks of health and of the watchdog. */
import type { HealthCheck } from "../api/health.js";
import type { ClockTrust } from "../clock/trust.js";
import type { ConfiguredLane } from "../engine/from-config.js";
import { engineHealth } from "../engine/health.js";
import { heartbeatTrouble } from "../engine/heartbeat.js";
import type { Vital } from "../service/watchdog.js";
import { Canary } from "../store/canary.js";
import type { Database } from "../store/database.js";
import type { BackupState } from "../store/housekeeping.js";

export interface HealthChecksParts {
	readonly live: ConfiguredLane;
	readonly batch: ConfiguredLane;
	readonly database: Database;
	readonly clock: { readonly trust: ClockTrust };
	readonly housekeeping: { readonly backup: BackupState };
}

export class HealthChecks {
	readonly #parts: HealthChecksParts;

	constructor(parts: HealthChecksParts) {
		this.#parts = parts;
	}

	health(): readonly HealthCheck[] {
		const { live, batch, database, clock, housekeeping } = this.#parts;
		const engine = engineHealth(live.lane.state);
		const files = engineHealth(batch.lane.state);
		const { stuck } = database;
		return [
			{ name: "live engine", ok: engine.ok, says: engine.says },
			{ name: "batch engine", ok: files.ok, says: files.says },
			{
				name: "database",
				ok: stuck === undefined,
				says: stuck?.message ?? "writes reach the disk",
			},
			// recognition works without a backup,
			{ name: "backup", ok: true, says: backupText(housekeeping.backup) },
			// and with a wrong clock
			{ name: "clock", ok: true, says: clock.trust.says },
		];
	}

	/** Everything that must work for the watchdog to be fed. @param silenceMsMax how long any of it may not answer */
	vitals(silenceMsMax: number, pingSeconds: number): readonly Vital[] {
		const { live, batch, database } = this.#parts;
		const canary = new Canary(database, silenceMsMax);
		const engineMsMax = Math.max(silenceMsMax, 2 * 1000 * pingSeconds);
		return [
			{ name: "database", check: () => canary.check() },
			...[live, batch].map(({ lane }) => ({
				name: `${lane.state.lane} engine`,
				check: () => heartbeatTrouble(lane.state, engineMsMax),
			})),
		];
	}
}

function backupText({ madeSeconds, skipped }: BackupState): string {
	const last =
		madeSeconds === undefined
			? "none made yet"
			: `made at ${new Date(madeSeconds * 1000).toISOString()}`;
	return skipped === undefined ? last : `${last}; ${skipped}`;
}
