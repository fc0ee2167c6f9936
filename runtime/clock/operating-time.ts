/**
 * Time that is counted, as far as somebody vouches for it. Pure.
 *
 * Two clocks are looked at: the one that says what time it is (wall), which may be set, may start in 1970 or in 2036; and the one that counts seconds since the
 * machine was started, which never does anything else. What was counted while the machine ran is certain. For how long it was off, only the wall clock
 * knows, and it is believed where it is synchronised, or says less than a day.
 *
 * INVARIANTS
 * - `operatingSeconds` never goes back, and goes on by what the machine ran.
 * - Nothing gets older by a jump of the clock: time off that becomes known later is put where the clock was last known to be right, so what happened since is
 *   as young as it was.
 */
import type { ClockState, Moment, OffTime } from "../store/clock-state.js";

/** Both clocks at one moment. */
export interface ClockReading {
	/** Another one for each start of the machine. */
	readonly boot: string;
	/** Since then; sleep of the machine counts. */
	readonly upSeconds: number;
	/** Unix time. */
	readonly wallSeconds: number;
	/** The wall clock is kept right by another one. */
	readonly synchronised: boolean;
}

export interface Advanced {
	readonly state: ClockState;
	/** The wall clock is so many seconds from where it should be; undefined: no more than a day. */
	readonly jumpSeconds: number | undefined;
}

const daySeconds = 86_400;
const holdSeconds = 3600;
/** One for each start of the machine; the oldest are put together. */
const offTimesMax = 400;
/** Clocks that run at slightly different speeds. */
const noiseSeconds = 1;

/** At the first start. @param lastWrittenSeconds when something of ours was written last; where nothing was, now. */
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

/** The clocks are looked at again. */
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
	// the latest are the last: what is young looks at few
	for (let i = state.offTimes.length - 1; i >= 0; i--) {
		const off = state.offTimes[i] as OffTime;
		if (off.atOperatingSeconds <= operatingSeconds) break;
		age += off.seconds;
	}
	return Math.max(0, age);
}

/** How far the clock is known to have been behind when something was made. */
export function behindSeconds(state: ClockState, made: Moment): number {
	const madeSeconds = certainSeconds(state) - ageSeconds(state, made);
	return Math.max(0, madeSeconds - made.seconds);
}

export function isHeld(state: ClockState): boolean {
	return state.operatingSeconds < state.heldUntilSeconds;
}

/** How long the machine ran since it was last looked at. */
function ranSince(state: ClockState, reading: ClockReading): number {
	if (state.boot === "") return 0;
	const { upSeconds } = reading;
	return isSameStart(state, reading) ? upSeconds - state.upSeconds : upSeconds;
}

function isSameStart(state: ClockState, reading: ClockReading): boolean {
	return reading.boot === state.boot && reading.upSeconds >= state.upSeconds;
}

/** The machine was off when so much had been counted. */
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

/** The wall clock is right: what the machine was off in all is known. */
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

/** A time that was believed was wrong: what was counted too much goes, the latest first. */
function without(offTimes: readonly OffTime[], seconds: number): OffTime[] {
	let left = seconds;
	const kept = offTimes.toReversed().flatMap((it) => {
		const taken = Math.min(left, it.seconds);
		left -= taken;
		return taken < it.seconds ? [{ ...it, seconds: it.seconds - taken }] : [];
	});
	return kept.reverse();
}
