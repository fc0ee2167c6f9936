/** The machine's two clocks, as the kernel tells them. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import type { ClockReading } from "./operating-time.js";

export type MachineTime = Omit<ClockReading, "synchronised">;

/** Where nobody tells which start of the machine this is, each start of the program is one. */
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
