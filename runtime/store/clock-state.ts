/** What is known of time across restarts (`runtime/clock`): one row, written every few minutes by the server, read by visitors too. */
import type { Database, Table } from "./database.js";

/** When something happened, as its row has it. */
export interface Moment {
	/** Unix time, as the machine's clock had it then. */
	readonly seconds: number;
	/** How long the machine had run (`runtime/clock`); rows of older versions have none. */
	readonly operatingSeconds?: number | undefined;
}

/** A moment by two clocks. */
export interface VerifiedMoment {
	readonly operatingSeconds: number;
	readonly wallSeconds: number;
}

/** The machine was off, and for how long is known. */
export interface OffTime {
	/** What had been counted when it went off. */
	readonly atOperatingSeconds: number;
	readonly seconds: number;
}

export interface ClockState {
	/** Another one for each start of the machine; empty: none was seen yet. */
	readonly boot: string;
	/** Since that start, when the clock was last looked at; and what it said, in Unix time. */
	readonly upSeconds: number;
	readonly wallSeconds: number;
	/** How long the machine has run since the first start of this program here. */
	readonly operatingSeconds: number;
	/** In order. */
	readonly offTimes: readonly OffTime[];
	/** Unix time is at least this and `operatingSeconds`. */
	readonly baseSeconds: number;
	/** The clock was last known to be right. */
	readonly verified: VerifiedMoment;
	/** Nothing goes for its age before so much was counted. */
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
