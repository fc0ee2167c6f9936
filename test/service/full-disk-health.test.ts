import { join } from "node:path";
import t from "tap";
import { HealthChecks } from "../../runtime/appliance/health-checks.js";
import { Database } from "../../runtime/store/database.js";
import { fakeLane } from "../engine/fake-lane.js";

t.test("health says that the disk is full, and stays good", async (t) => {
	let free = 2 ** 30;
	const database = Database.open(join(t.testdir(), "store.mdb"), {
		freeBytes: () => free,
	});
	t.teardown(() => database.close());
	const lane = fakeLane(t);
	const checks = new HealthChecks({
		live: lane,
		batch: lane,
		database,
		clock: {
			trust: { says: "", code: "clock-synchronised", values: {} },
		} as never,
		housekeeping: { backup: {} } as never,
	});
	const check = () => checks.health().find(({ name }) => name === "database");
	t.match(check(), { ok: true, code: "database-writes" });
	free = 0;
	t.match(check(), { ok: true, code: "database-full", says: /disk is full/ });
});
