/** kill -9 of the update at any moment. */
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { builtExecutable } from "../executable/built-executable.js";
import { NotHere, type Property } from "../fuzz/property.js";
import { below } from "../fuzz/random.js";
import { version } from "./altered-executable.js";
import { Device } from "./device.js";

const killMsMax = 5000;

export async function killsOfTheBuilt(): Promise<Property<readonly number[]>> {
	const built = await builtExecutable();
	if (typeof built === "string") throw new NotHere(built);
	return killsLeaveItWhole(built.path);
}

export const killsLeaveItWhole = (
	executable: string,
): Property<readonly number[]> => ({
	name: "update/kills",
	promise:
		"killed anywhere, the program is whole, and the next update or rollback gets through",
	share: 0.2,
	draw: (random) =>
		Array.from({ length: 1 + below(random, 10) }, () =>
			below(random, killMsMax),
		),
	async check(killsMs) {
		const earshot = await Device.of(executable);
		try {
			const next = earshot.offer("0.2.0", [version("0.2.0")]);
			for (const afterMs of killsMs) await killOnce(earshot, next, afterMs);
			earshot.patience = 60;
			const done = await earshot.update("--from", next, "--no-restart");
			assert.equal(done.code, 0, done.stderr);
			assert.match(done.stdout, /is tried at the next start/);
			earshot.startServer();
			await earshot.untilHealthy();
			await earshot.untilSettled();
			assert.equal(await earshot.version(), "0.2.0");
			assert.deepEqual(earshot.beside(), [".previous"]);
			await killsGoingBack(earshot, killsMs);
			assert.equal(await earshot.version(), "0.1.0");
		} finally {
			earshot.dispose();
		}
	},
});

/** And back to the first version if the second was in place already. */
async function killOnce(
	earshot: Device,
	next: string,
	afterMs: number,
): Promise<void> {
	const { child, ended } = earshot.begin(["--from", next, "--no-restart"]);
	await pause(afterMs);
	child.kill("SIGKILL");
	await ended;
	const now = await earshot.version();
	if (now === "0.2.0") {
		assert.ok(existsSync(`${earshot.program}.previous`));
		const back = await earshot.update("--rollback", "--no-restart");
		assert.equal(back.code, 0, back.stderr);
	}
	assert.equal(await earshot.version(), "0.1.0");
	rmSync(`${earshot.program}.refused`, { force: true });
}

/** Until one of the rollbacks was faster. */
async function killsGoingBack(
	earshot: Device,
	killsMs: readonly number[],
): Promise<void> {
	const back = ["--rollback", "--no-restart"];
	for (const afterMs of killsMs) {
		const { child, ended } = earshot.begin(back);
		await pause(afterMs);
		child.kill("SIGKILL");
		await ended;
		if ((await earshot.version()) === "0.1.0") return;
		assert.equal(await earshot.version(), "0.2.0");
	}
	const done = await earshot.update(...back);
	assert.equal(done.code, 0, done.stderr);
}
