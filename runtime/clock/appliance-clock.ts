/**
 * The appliance's clock: reads the machine's clocks every minute, counts the time that passed (operating-time.ts), and saves it for the next start.
 *
 * INVARIANTS
 * - What has expired does not become valid again because the clock went back: an earlier time is only accepted from a synchronised clock.
 * - For an hour after a jump of more than a day nothing is deleted for its age.
 */
import type { LogPort } from "../log/log-port.js";
import type {
	ClockRepository,
	ClockState,
	Moment,
} from "../store/clock-state.js";
import type { Clock } from "./clock.js";
import type { Machine } from "./machine-time.js";
import {
	advance,
	ageSeconds,
	beginning,
	behindSeconds,
	certainSeconds,
	isHeld,
} from "./operating-time.js";
import type { TimeSync } from "./sync-port.js";
import { type ClockTrust, clockTrustOf } from "./trust.js";

export interface ApplianceClockParts {
	readonly rows: ClockRepository;
	readonly machine: Machine;
	readonly isSynchronised: TimeSync;
	/** When the store was last written, by its file times; undefined: never. */
	readonly lastWrittenSeconds: number | undefined;
	/** Unix time of the build: a correct clock is not before it. */
	readonly builtSeconds: number;
	readonly log: LogPort;
}

const updateEveryMs = 60_000;
/** A power cut loses at most this much. */
const writeEveryMs = 600_000;
/** A larger difference between two readings means that the clock was set. */
const setSeconds = 60;
const daySeconds = 86_400;

export class ApplianceClock implements Clock {
	readonly #parts: ApplianceClockParts;
	#state: ClockState;
	#synchronised = false;
	#wasHeld = false;
	#updatedAtMs = performance.now();
	#writtenAtMs = Number.NEGATIVE_INFINITY;
	#timer: NodeJS.Timeout | undefined;
	#updating: Promise<void> = Promise.resolve();

	/** Reads the clocks once. Never rejects. */
	static async open(parts: ApplianceClockParts): Promise<ApplianceClock> {
		const clock = new ApplianceClock(parts);
		await clock.update();
		return clock;
	}

	private constructor(parts: ApplianceClockParts) {
		this.#parts = parts;
		this.#state =
			parts.rows.read() ??
			beginning(
				{ ...parts.machine.read(), synchronised: false },
				parts.lastWrittenSeconds,
			);
	}

	start(): void {
		this.#timer = setInterval(() => void this.update(), updateEveryMs);
		this.#timer.unref();
	}

	/** Saves the counted time. */
	async stop(): Promise<void> {
		clearInterval(this.#timer);
		this.#writtenAtMs = Number.NEGATIVE_INFINITY;
		await this.update();
	}

	/** Reads the machine's clocks now. Never rejects. */
	update(): Promise<void> {
		this.#updating = this.#updating.then(() => this.#update());
		return this.#updating;
	}

	nowSeconds(): number {
		return this.#parts.machine.wallSeconds();
	}

	expirySeconds(made?: Moment): number {
		const behind = made ? behindSeconds(this.#now, made) : 0;
		return this.#rightSeconds() - behind;
	}

	certainSeconds(made?: Moment): number {
		const behind = made ? behindSeconds(this.#now, made) : 0;
		return Math.min(this.nowSeconds(), certainSeconds(this.#now)) - behind;
	}

	operatingSeconds(): number {
		return this.#now.operatingSeconds;
	}

	ageSeconds(moment: Moment): number {
		return ageSeconds(this.#now, moment);
	}

	get countsAges(): boolean {
		return !isHeld(this.#now);
	}

	get trust(): ClockTrust {
		return clockTrustOf({
			state: this.#now,
			wallSeconds: this.nowSeconds(),
			synchronised: this.#synchronised,
			builtSeconds: this.#parts.builtSeconds,
		});
	}

	/** A synchronised clock, or else the later of the wall clock and the counted time. */
	#rightSeconds(): number {
		const wallSeconds = this.nowSeconds();
		return this.#synchronised && !this.#wasSet
			? wallSeconds
			: Math.max(wallSeconds, certainSeconds(this.#now));
	}

	/** The state extrapolated to now, by this process's monotonic clock. */
	get #now(): ClockState {
		const operatingSeconds =
			this.#state.operatingSeconds + this.#sinceUpdateSeconds;
		return { ...this.#state, operatingSeconds };
	}

	/** Whether the clock was set since the last reading. */
	get #wasSet(): boolean {
		const expected = this.#state.wallSeconds + this.#sinceUpdateSeconds;
		return Math.abs(this.nowSeconds() - expected) > setSeconds;
	}

	get #sinceUpdateSeconds(): number {
		return (performance.now() - this.#updatedAtMs) / 1000;
	}

	async #update(): Promise<void> {
		const { isSynchronised, machine } = this.#parts;
		const synchronised = (await isSynchronised(this.#wasSet)) ?? false;
		const updatedAtMs = performance.now();
		const reading = { ...machine.read(), synchronised };
		const { state, jumpSeconds } = advance(this.#state, reading);
		const hasChanged =
			jumpSeconds !== undefined || synchronised !== this.#synchronised;
		this.#state = state;
		this.#synchronised = synchronised;
		this.#updatedAtMs = updatedAtMs;
		this.#logChanges(jumpSeconds);
		if (hasChanged || this.#updatedAtMs - this.#writtenAtMs >= writeEveryMs)
			await this.#write();
	}

	#logChanges(jumpSeconds: number | undefined): void {
		const { log } = this.#parts;
		if (jumpSeconds !== undefined)
			log.warn(
				{ days: Math.round((jumpSeconds / daySeconds) * 10) / 10 },
				"system clock jumped, deletion by age suspended for an hour",
			);
		const isHeldNow = isHeld(this.#state);
		if (this.#wasHeld && !isHeldNow) log.info({}, "retention resumed");
		this.#wasHeld = isHeldNow;
	}

	async #write(): Promise<void> {
		try {
			await this.#parts.rows.write(this.#state);
			this.#writtenAtMs = performance.now();
		} catch (error) {
			// as after a power cut: the next start continues from the last saved state
			this.#parts.log.warn({ err: error }, "failed to save the time");
		}
	}
}
