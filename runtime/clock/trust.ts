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
	/** The same for programs, and what differs from case to case. */
	readonly code: ClockTrustCode;
	readonly values: ClockTrustValues;
}

export type ClockTrustCode =
	| "clock-synchronised"
	| "clock-plausible"
	| "clock-before-build"
	| "clock-jumped"
	| "clock-behind";

export interface ClockTrustValues {
	/** What the clock says, Unix time in seconds. */
	readonly at?: number;
	/** What time it is at least, Unix time in seconds. */
	readonly certain?: number;
	/** Until deletion by age goes on. */
	readonly minutes?: number;
}

type TrustExplanation = Pick<ClockTrust, "says" | "code" | "values">;

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
		...(doubt ?? (synchronised ? agreed : agrees)),
	};
}

const agreed: TrustExplanation = {
	says: "synchronised",
	code: "clock-synchronised",
	values: {},
};
const agrees: TrustExplanation = {
	says: "not synchronised; the clock agrees with the time that has passed since the last start",
	code: "clock-plausible",
	values: {},
};

function doubtOf({
	state,
	wallSeconds,
	synchronised,
	builtSeconds,
}: TrustParts): TrustExplanation | undefined {
	if (wallSeconds < builtSeconds - daySeconds)
		return {
			says: `${timeOf(wallSeconds)} is before this program was built (${timeOf(builtSeconds)})`,
			code: "clock-before-build",
			values: { at: wallSeconds, certain: builtSeconds },
		};
	if (isHeld(state)) {
		const minutes = Math.ceil(
			(state.heldUntilSeconds - state.operatingSeconds) / 60,
		);
		return {
			says: `the clock jumped by more than a day: deletion by age is suspended for another ${minutes} minutes`,
			code: "clock-jumped",
			values: { minutes },
		};
	}
	const behind = certainSeconds(state) - wallSeconds;
	if (!synchronised && behind > behindSecondsMax)
		return {
			says: `${timeOf(wallSeconds)} is behind the time that has certainly passed (${timeOf(wallSeconds + behind)}), and the clock is not synchronised`,
			code: "clock-behind",
			values: { at: wallSeconds, certain: wallSeconds + behind },
		};
	return undefined;
}

function timeOf(unixSeconds: number): string {
	return new Date(unixSeconds * 1000).toISOString();
}
