/** The clock for a visitor of the store: its server's, as far as that was written down. */
import type { ClockRepository } from "../store/clock-state.js";
import type { Clock } from "./clock.js";
import type { MachineTime } from "./machine-time.js";
import {
	advance,
	beginning,
	behindSeconds,
	certainSeconds,
} from "./operating-time.js";

export interface ReadOnlyClock extends Pick<Clock, "expirySeconds"> {
	/** `Clock.operatingSeconds`; undefined where no server has counted yet. */
	readonly operatingSeconds: number | undefined;
}

export function readOnlyClock(
	rows: Pick<ClockRepository, "read">,
	time: MachineTime,
): ReadOnlyClock {
	// whether it is synchronised the server knows; here the later time is taken
	const reading = { ...time, synchronised: false };
	const known = rows.read();
	const { state } = advance(known ?? beginning(reading), reading);
	const now = Math.max(time.wallSeconds, certainSeconds(state));
	return {
		expirySeconds: (made) => now - (made ? behindSeconds(state, made) : 0),
		operatingSeconds: known && state.operatingSeconds,
	};
}
