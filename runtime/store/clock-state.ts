/** The clock's state across restarts (`runtime/clock`): one row, written every few minutes by the server, read by visitors too. */
import type { Database, Table } from "./database.js";

/** The time of an event, as stored in its row. */
export interface Moment {
	/** Unix time of the machine's clock at that moment. */
	readonly seconds: number;
	/** Operating time of the machine (`runtime/clock`); rows of older versions have none. */
	readonly operatingSeconds?: number | undefined;
}

/** A moment on both clocks. */
export interface VerifiedMoment {
	readonly operatingSeconds: number;
	readonly wallSeconds: number;
}

/** A time in which the machine was off, of known length. */
export interface OffTime {
	/** Operating time when it went off. */
	readonly atOperatingSeconds: number;
	readonly seconds: number;
}

export interface ClockState {
	/** Id of the machine's boot; empty: none seen yet. */
	readonly boot: string;
	/** Uptime and wall clock (Unix time) when the clock was last read. */
	readonly upSeconds: number;
	readonly wallSeconds: number;
	/** Operating time of the machine since the first start of this program on it. */
	readonly operatingSeconds: number;
	/** In chronological order. */
	readonly offTimes: readonly OffTime[];
	/** Lower bound: Unix time is at least this plus `operatingSeconds`. */
	readonly baseSeconds: number;
	/** When the clock was last known to be right. */
	readonly verified: VerifiedMoment;
	/** Nothing is deleted by age before this operating time. */
	readonly heldUntilSeconds: number;
}

const key = "state";

export class ClockRepository {
	readonly #rows: Table<ClockState>;

	constructor(database: Database) {
		this.#rows = database.table("clock");
	}

	/** Undefined before the first start. */
	read(): ClockState | undefined {
		return this.#rows.get(key);
	}

	/** @throws StoreError */
	write(state: ClockState): Promise<void> {
		return this.#rows.put(key, state);
	}
}
