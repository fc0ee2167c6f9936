/** The clock for commands that read the store beside a server: based on what the server has saved. */
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
	/** `Clock.operatingSeconds`; undefined if no server has run yet. */
	operatingSeconds(): number | undefined;
}

export function readOnlyClock(
	rows: Pick<ClockRepository, "read">,
	time: MachineTime,
): ReadOnlyClock {
	// only the server knows whether the clock is synchronised; here the later time is used
	const reading = { ...time, synchronised: false };
	const known = rows.read();
	const { state } = advance(known ?? beginning(reading), reading);
	const now = Math.max(time.wallSeconds, certainSeconds(state));
	return {
		expirySeconds: (made) => now - (made ? behindSeconds(state, made) : 0),
		operatingSeconds: () => known && state.operatingSeconds,
	};
}
