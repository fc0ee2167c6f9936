/**
 * The fleet: whether a broker that is killed again and again loses anything (`kills`), how much faster two devices are than one, each on a core of its own
 * (`share`), and how long after the end of speech a sentence of a microphone is at a subscriber (`heard`). A real mosquitto, real appliances.
 * Usage: scripts/bench fleet [--only kills,share,heard] [--kills N] [--messages N] [--files N] [--record]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureDelivery } from "./fleet/delivery.js";
import { measureKills } from "./fleet/kills.js";
import { measureSharing } from "./fleet/share.js";
import { type Measurement, report } from "./report.js";

const { values } = parseArgs({
	options: {
		only: { type: "string", default: "kills,share,heard" },
		kills: { type: "string", default: "50" },
		messages: { type: "string", default: "10000" },
		files: { type: "string", default: "12" },
		record: { type: "boolean", default: false },
	},
});
const folder = mkdtempSync(join(tmpdir(), "earshot-fleet-bench-"));
const parts: Readonly<Record<string, () => Promise<Measurement[]>>> = {
	kills: () =>
		measureKills(folder, Number(values.kills), Number(values.messages)),
	share: () => measureSharing(folder, Number(values.files)),
	heard: () => measureDelivery(folder),
};
const measurements: Measurement[] = [];
try {
	for (const name of values.only.split(",")) {
		const measure = parts[name];
		if (!measure) throw new Error(`no part ${name}`);
		measurements.push(...(await measure()));
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
report(measurements, values.record);
