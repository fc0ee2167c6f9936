/** Whether the machine's clock is to be believed, in a sentence for people. Pure. */
import type { ClockState } from "../store/clock-state.js";
import { certainSeconds, isHeld } from "./operating-time.js";

export interface ClockTrust {
	/** What is known of time agrees with it. */
	readonly isTrusted: boolean;
	readonly isSynchronised: boolean;
	/** Ages count. */
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
/** Clocks that were set by hand to the minute. */
const behindSecondsMax = 120;

export function trustIn(parts: TrustParts): ClockTrust {
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
	"not synchronised; it agrees with the time that has passed since the last start";

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
		return `it jumped by more than a day: deletion by age is suspended for another ${minutes} minutes`;
	}
	const behind = certainSeconds(state) - wallSeconds;
	if (!synchronised && behind > behindSecondsMax)
		return `${timeOf(wallSeconds)} is behind what has passed (${timeOf(wallSeconds + behind)}), and it is not synchronised`;
	return undefined;
}

function timeOf(unixSeconds: number): string {
	return new Date(unixSeconds * 1000).toISOString();
}
