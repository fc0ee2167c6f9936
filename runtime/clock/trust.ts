/** Whether the machine's clock can be trusted, with a sentence that explains it. Pure. */
import type { ClockState } from "../store/clock-state.js";
import { certainSeconds, isHeld } from "./operating-time.js";

export interface ClockTrust {
	/** It agrees with what is known about the time. */
	readonly isTrusted: boolean;
	readonly isSynchronised: boolean;
	/** Deletion by age is active. */
	readonly countsAges: boolean;
	readonly says: string;
}

export interface TrustParts {
	readonly state: ClockState;
	readonly wallSeconds: number;
	readonly synchronised: boolean;
	readonly builtSeconds: number;
}

const daySeconds = 86_400;
/** Tolerance for clocks set by hand to the minute. */
const behindSecondsMax = 120;

export function clockTrustOf(parts: TrustParts): ClockTrust {
	const { state, synchronised } = parts;
	const doubt = doubtOf(parts);
	return {
		isTrusted: doubt === undefined,
		isSynchronised: synchronised,
		countsAges: !isHeld(state),
		says: doubt ?? (synchronised ? "synchronised" : agrees),
	};
}

const agrees =
	"not synchronised; the clock agrees with the time that has passed since the last start";

function doubtOf({
	state,
	wallSeconds,
	synchronised,
	builtSeconds,
}: TrustParts): string | undefined {
	if (wallSeconds < builtSeconds - daySeconds)
		return `${timeOf(wallSeconds)} is before this program was built (${timeOf(builtSeconds)})`;
	if (isHeld(state)) {
		const minutes = Math.ceil(
			(state.heldUntilSeconds - state.operatingSeconds) / 60,
		);
		return `the clock jumped by more than a day: deletion by age is suspended for another ${minutes} minutes`;
	}
	const behind = certainSeconds(state) - wallSeconds;
	if (!synchronised && behind > behindSecondsMax)
		return `${timeOf(wallSeconds)} is behind the time that has certainly passed (${timeOf(wallSeconds + behind)}), and the clock is not synchronised`;
	return undefined;
}

function timeOf(unixSeconds: number): string {
	return new Date(unixSeconds * 1000).toISOString();
}
