/** The machine's two clocks, from the kernel. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import type { ClockReading } from "./operating-time.js";

export type MachineTime = Omit<ClockReading, "synchronised">;

/** Used as the boot id where the system has none: then each start of the program counts as a boot. */
const ownStart = randomUUID();

export interface Machine {
	read(): MachineTime;
	/** The wall clock alone. */
	wallSeconds(): number;
}

export const thisMachine: Machine = {
	read() {
		const wallSeconds = this.wallSeconds();
		const boot = bootId();
		return boot === undefined
			? { boot: ownStart, upSeconds: process.uptime(), wallSeconds }
			: { boot, upSeconds: uptime(), wallSeconds };
	},
	wallSeconds: () => Date.now() / 1000,
};

/** random(4). */
function bootId(): string | undefined {
	try {
		return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
	} catch {
		return undefined;
	}
}
