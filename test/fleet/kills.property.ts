/** Kills of the broker at any moment. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NotHere, type Property } from "../fuzz/property.js";
import { below } from "../fuzz/random.js";
import { brokerMissing } from "./broker.js";
import { type Kills, killAgainAndAgain } from "./kills.js";

const sentences = 100;

export function killsOfTheBroker(): Property<Kills> {
	if (brokerMissing) throw new NotHere(brokerMissing);
	return brokerKillsLoseNothing();
}

export const brokerKillsLoseNothing = (): Property<Kills> => ({
	name: "fleet/kills",
	promise:
		"a broker that is killed again and again loses nothing, and each microphone stays in order",
	share: 0.3,
	draw: (random) => ({
		deliveredBefore: Array.from({ length: 1 + below(random, 6) }, random),
		sentences,
		burst: 1 + below(random, 30),
	}),
	async check(kills) {
		const folder = mkdtempSync(join(tmpdir(), "earshot-broker-"));
		try {
			const result = await killAgainAndAgain(folder, kills);
			assert.deepEqual(result.lost, []);
			assert.deepEqual(result.disorder, []);
			const { dead_letters, dropped, waiting, delivered } = result.outbox;
			assert.deepEqual({ dead_letters, dropped, waiting }, none);
			assert.ok(delivered >= result.sent, `${delivered} of ${result.sent}`);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
});

const none = { dead_letters: 0, dropped: 0, waiting: 0 };
