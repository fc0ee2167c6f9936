/** A machine whose clocks the test controls. */
import type { Machine, MachineTime } from "../../runtime/clock/machine-time.js";

/** 1 March 2026. */
export const march = 1_772_323_200;
export const hour = 3600;
export const day = 86_400;

export class FakeMachine implements Machine {
	synchronised = false;
	#boot = 1;
	#upSeconds = 100;
	#wallSeconds = march;

	read(): MachineTime {
		return {
			boot: `boot ${this.#boot}`,
			upSeconds: this.#upSeconds,
			wallSeconds: this.#wallSeconds,
		};
	}

	wallSeconds(): number {
		return this.#wallSeconds;
	}

	run(seconds: number): void {
		this.#upSeconds += seconds;
		this.#wallSeconds += seconds;
	}

	/** Sets its clock. */
	set(wallSeconds: number): void {
		this.#wallSeconds = wallSeconds;
	}

	/** Off and on again. @param wallSeconds its clock's time then; it runs for 10 s before the first reading */
	restart(wallSeconds: number): void {
		this.#boot++;
		this.#upSeconds = 10;
		this.#wallSeconds = wallSeconds + 10;
	}
}
