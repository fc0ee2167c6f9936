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
		return [
			{ name: "live engine", ...engineCheck(live) },
			{ name: "batch engine", ...engineCheck(batch) },
			{ name: "database", ...databaseCheck(database) },
			// recognition works without a backup,
			{ name: "backup", ok: true, ...backupCheck(housekeeping.backup) },
			// and with a wrong clock
			{ name: "clock", ok: true, ...clockCheck(clock.trust) },
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

type Checked = Omit<HealthCheck, "name">;
type CheckDetails = Omit<Checked, "ok">;

function engineCheck({ lane }: ConfiguredLane): Checked {
	const { ok, says, code, values } = engineHealth(lane.state);
	return { ok, says, code, values };
}

function databaseCheck({ stuck, full }: Database): Checked {
	const values = {};
	if (stuck)
		return { ok: false, says: stuck.message, code: "database-stuck", values };
	// what needs no row is recognized all the same, and a restart would make no room
	if (full)
		return { ok: true, says: full.message, code: "database-full", values };
	const says = "writes reach the disk";
	return { ok: true, says, code: "database-writes", values };
}

function clockCheck({ says, code, values }: ClockTrust): CheckDetails {
	return { says, code, values };
}

function backupCheck({ madeSeconds, skipped }: BackupState): CheckDetails {
	const at = madeSeconds === undefined ? {} : { at: madeSeconds };
	const last =
		madeSeconds === undefined
			? "none made yet"
			: `made at ${new Date(madeSeconds * 1000).toISOString()}`;
	if (skipped !== undefined)
		return {
			says: `${last}; ${skipped}`,
			code: "backup-skipped",
			values: { ...at, reason: skipped },
		};
	const code = madeSeconds === undefined ? "backup-none" : "backup-made";
	return { says: last, code, values: at };
}
