/**
 * Counts time as far as it is certain. Pure.
 *
 * Two clocks are read: the wall clock, which may be set, may start in 1970 or in 2036; and the monotonic one, which counts seconds since the
 * machine was started. The time counted while the machine ran is certain. How long it was off is only known from the wall
 * clock, which is believed if it is synchronised or if the time is less than a day.
 *
 * INVARIANTS
 * - `operatingSeconds` never goes back, and advances by the time that the machine ran.
 * - Nothing gets older by a jump of the clock: off time that becomes known later is recorded at the moment when the clock was last known to be right, so what
 *   was created since does not age by it.
 */
import type { ClockState, Moment, OffTime } from "../store/clock-state.js";

/** Both clocks at one moment. */
export interface ClockReading {
	/** Unique for each start of the machine. */
	readonly boot: string;
	/** Since that start, including suspend. */
	readonly upSeconds: number;
	/** Unix time. */
	readonly wallSeconds: number;
	/** The wall clock is synchronised with a time source. */
	readonly synchronised: boolean;
}

export interface Advanced {
	readonly state: ClockState;
	/** Deviation of the wall clock from the expected time; undefined: at most a day. */
	readonly jumpSeconds: number | undefined;
}

const daySeconds = 86_400;
const holdSeconds = 3600;
/** One per start of the machine; the oldest are merged. */
const offTimesMax = 400;
/** Tolerance for the clocks' different speeds. */
const noiseSeconds = 1;

/** State at the first start. @param lastWrittenSeconds when the store was last written; if never, now. */
export function beginning(
	{ wallSeconds }: ClockReading,
	lastWrittenSeconds = wallSeconds,
): ClockState {
	return {
		boot: "",
		upSeconds: 0,
		wallSeconds: lastWrittenSeconds,
		operatingSeconds: 0,
		offTimes: [],
		baseSeconds: lastWrittenSeconds,
		verified: { operatingSeconds: 0, wallSeconds: lastWrittenSeconds },
		heldUntilSeconds: 0,
	};
}

/** Updates the state with a new reading of the clocks. */
export function advance(state: ClockState, reading: ClockReading): Advanced {
	const { boot, upSeconds, wallSeconds, synchronised } = reading;
	const ranSeconds = ranSince(state, reading);
	const jumpSeconds = wallSeconds - (state.wallSeconds + ranSeconds);
	const isJump = Math.abs(jumpSeconds) > daySeconds;
	const operatingSeconds = state.operatingSeconds + ranSeconds;
	const next: ClockState = {
		...state,
		boot,
		upSeconds,
		wallSeconds,
		operatingSeconds,
		heldUntilSeconds: isJump
			? operatingSeconds + holdSeconds
			: state.heldUntilSeconds,
	};
	const wasOff = !isSameStart(state, reading) && jumpSeconds > 0 && !isJump;
	const counted = wasOff
		? off(next, state.operatingSeconds, jumpSeconds)
		: next;
	return {
		state: synchronised ? verified(counted) : counted,
		jumpSeconds: isJump ? jumpSeconds : undefined,
	};
}

/** Unix time that has passed for certain. */
export function certainSeconds(state: ClockState): number {
	return state.baseSeconds + state.operatingSeconds;
}

export function ageSeconds(
	state: ClockState,
	{ seconds, operatingSeconds }: Moment,
): number {
	if (operatingSeconds === undefined)
		return Math.max(0, certainSeconds(state) - seconds);
	let age = state.operatingSeconds - operatingSeconds;
	// newest last: young items look at few of them
	for (let i = state.offTimes.length - 1; i >= 0; i--) {
		const off = state.offTimes[i] as OffTime;
		if (off.atOperatingSeconds <= operatingSeconds) break;
		age += off.seconds;
	}
	return Math.max(0, age);
}

/** How far the clock is known to have been slow when something was created. */
export function behindSeconds(state: ClockState, made: Moment): number {
	const madeSeconds = certainSeconds(state) - ageSeconds(state, made);
	return Math.max(0, madeSeconds - made.seconds);
}

export function isHeld(state: ClockState): boolean {
	return state.operatingSeconds < state.heldUntilSeconds;
}

/** How long the machine ran since the last reading. */
function ranSince(state: ClockState, reading: ClockReading): number {
	if (state.boot === "") return 0;
	const { upSeconds } = reading;
	return isSameStart(state, reading) ? upSeconds - state.upSeconds : upSeconds;
}

function isSameStart(state: ClockState, reading: ClockReading): boolean {
	return reading.boot === state.boot && reading.upSeconds >= state.upSeconds;
}

/** Records that the machine was off when this much had been counted. */
function off(
	state: ClockState,
	atOperatingSeconds: number,
	seconds: number,
): ClockState {
	return {
		...state,
		offTimes: withOffTime(state.offTimes, { atOperatingSeconds, seconds }),
		baseSeconds: state.baseSeconds + seconds,
	};
}

/** The wall clock is right, so the total off time is known. */
function verified(state: ClockState): ClockState {
	const { wallSeconds, operatingSeconds, offTimes, verified: last } = state;
	const passed = wallSeconds - last.wallSeconds;
	const ran = operatingSeconds - last.operatingSeconds;
	const known = offTimes
		.filter((it) => it.atOperatingSeconds >= last.operatingSeconds)
		.reduce((sum, { seconds }) => sum + seconds, 0);
	const missing = passed - ran - known;
	const right =
		missing > noiseSeconds
			? off(state, last.operatingSeconds, missing)
			: missing < -noiseSeconds
				? { ...state, offTimes: without(offTimes, -missing) }
				: state;
	return {
		...right,
		baseSeconds: wallSeconds - operatingSeconds,
		verified: { operatingSeconds, wallSeconds },
	};
}

function withOffTime(offTimes: readonly OffTime[], more: OffTime): OffTime[] {
	const all = [...offTimes, more].sort(
		(one, other) => one.atOperatingSeconds - other.atOperatingSeconds,
	);
	const [first, second] = all;
	if (all.length <= offTimesMax || !first || !second) return all;
	const joined = { ...first, seconds: first.seconds + second.seconds };
	return [joined, ...all.slice(2)];
}

/** Off time that was believed turned out wrong: removes the excess, latest first. */
function without(offTimes: readonly OffTime[], seconds: number): OffTime[] {
	let left = seconds;
	const kept = offTimes.toReversed().flatMap((it) => {
		const taken = Math.min(left, it.seconds);
		left -= taken;
		return taken < it.seconds ? [{ ...it, seconds: it.seconds - taken }] : [];
	});
	return kept.reverse();
}
