import { once } from "node:events";
import { join } from "node:path";
import t, { type Test } from "tap";
import { heartbeatTrouble } from "../../runtime/engine/heartbeat.js";
import type { ServiceManager } from "../../runtime/service/manager-port.js";
import { ServiceNotices, statusLine } from "../../runtime/service/notices.js";
import { type Vital, Watchdog } from "../../runtime/service/watchdog.js";
import { Canary } from "../../runtime/store/canary.js";
import { Database } from "../../runtime/store/database.js";
import { eventually } from "../fixtures/eventually.js";
import { startFixture } from "../store/children.js";

class FakeManager implements ServiceManager {
	readonly isThere = true;
	readonly sent: string[] = [];

	constructor(readonly watchdogMs: number) {}

	notify(...assignments: string[]): void {
		this.sent.push(...assignments);
	}

	timesSent(line: string): number {
		return this.sent.filter((it) => it === line).length;
	}
}

function watched(t: Test, vitals: readonly Vital[]) {
	const manager = new FakeManager(30);
	const logged: string[] = [];
	const write = (fields: object, message: string) =>
		logged.push(`${message} ${JSON.stringify(fields)}`);
	const log = { info: write, warn: write, error: write };
	const watchdog = new Watchdog(manager, vitals, log);
	t.teardown(() => watchdog.stop());
	return { manager, watchdog, logged, log };
}

t.test("one failing check silences the watchdog", async (t) => {
	let trouble: string | undefined;
	let checks = 0;
	const checked = () =>
		new Promise<void>((done) => {
			const target = checks + 2; // the one under way may have begun before
			const timer = setInterval(() => {
				if (checks < target) return;
				clearInterval(timer);
				done();
			}, 1);
		});
	const { manager, watchdog, logged } = watched(t, [
		{ name: "sound", check: () => undefined },
		{
			name: "heart",
			check: async () => {
				checks++;
				return trouble;
			},
		},
	]);
	watchdog.start();
	await checked();
	t.ok(manager.timesSent("WATCHDOG=1") > 0);
	trouble = "stands still";
	await checked();
	const fed = manager.timesSent("WATCHDOG=1");
	await checked();
	t.equal(manager.timesSent("WATCHDOG=1"), fed);
	t.equal(watchdog.trouble, "heart: stands still");
	trouble = undefined;
	await checked();
	t.ok(manager.timesSent("WATCHDOG=1") > fed);
	t.match(
		logged.filter((line) => !line.startsWith("event loop")),
		[/^unhealthy.*heart: stands still/, /^health recovered/],
		"logged once each",
	);
});

t.test("a check that throws, or never ends, counts as failed", async (t) => {
	let checks = 0;
	const { manager, watchdog } = watched(t, [
		{
			name: "heart",
			check: () => {
				checks++;
				throw new Error("it broke");
			},
		},
	]);
	const troubled = new Promise<void>((done) => {
		watchdog.onTrouble = done;
	});
	watchdog.start();
	await troubled;
	t.equal(watchdog.trouble, "heart: it broke");
	const { manager: other, watchdog: waiting } = watched(t, [
		{ name: "heart", check: () => new Promise(() => {}) },
	]);
	waiting.start();
	const seen = checks;
	await eventually("three checks of the other one", () => checks >= seen + 3);
	t.same([...manager.sent, ...other.sent], []);
});

t.test("a manager without a watchdog gets no notifications", async (t) => {
	const manager = new FakeManager(0);
	const { manager: other, watchdog, log } = watched(t, []);
	new Watchdog(manager, [], log).start();
	watchdog.start();
	await eventually(
		"a manager with a watchdog to be notified",
		() => other.sent.length > 2,
	);
	t.same(manager.sent, []);
});

t.test("ready is never sent after a stop", async (t) => {
	const manager = new FakeManager(30);
	const { log } = watched(t, []);
	const notices = new ServiceNotices(manager, log);
	notices.stopping(1500);
	notices.ready({ vitals: () => [], status: () => "idle" });
	await notices.during("late", 1000, async () => {});
	t.same(manager.sent.slice(0, 2), [
		"STOPPING=1",
		"EXTEND_TIMEOUT_USEC=1500000",
	]);
	t.equal(manager.sent.length, 3, "and a status");
});

t.test(
	"more time is requested only while a step is within its limit",
	async (t) => {
		const manager = new FakeManager(0);
		const { log } = watched(t, []);
		const notices = new ServiceNotices(manager, log);
		await notices.during("hanging", -1, async () => {});
		t.same(manager.sent, []);
		await notices.during("loading", 1000, async () => {});
		t.same(manager.sent, ["EXTEND_TIMEOUT_USEC=15000000", "STATUS=loading"]);
	},
);

const ready = {
	phase: "ready",
	onDemand: false,
	lastReportMsAgo: 100,
	deathsInARow: 0,
	lastDeath: undefined,
} as const;
const hearts: [name: string, heart: object, trouble: RegExp | undefined][] = [
	["one that answers lives", {}, undefined],
	[
		"a silent one does not",
		{ lastReportMsAgo: 3000 },
		/no sign of life for more than 2 s/,
	],
	["the first one is waited for", { phase: "starting" }, undefined],
	[
		"one that replaces a dead one is waited for",
		{ phase: "starting", deathsInARow: 1, lastDeath: "signal SIGKILL" },
		undefined,
	],
	[
		"the next one is not",
		{ phase: "starting", deathsInARow: 2, lastDeath: "signal SIGKILL" },
		/keeps dying \(signal SIGKILL\)/,
	],
	[
		"neither is one that is held back",
		{ phase: "backing-off", deathsInARow: 5, lastDeath: "exit code 7" },
		/keeps dying/,
	],
	["one nobody started is none", { phase: "down" }, /was not started/],
	[
		"one that starts when needed need not be there",
		{ phase: "down", onDemand: true },
		undefined,
	],
	[
		"and takes nobody with it",
		{ phase: "backing-off", onDemand: true, deathsInARow: 9 },
		undefined,
	],
	[
		"unless it hangs",
		{ onDemand: true, lastReportMsAgo: 3000 },
		/no sign of life/,
	],
];
for (const [name, heart, trouble] of hearts)
	t.test(`of engines: ${name}`, async (t) => {
		const found = heartbeatTrouble({ ...ready, ...heart }, 2000);
		if (trouble) t.match(found, trouble);
		else t.equal(found, undefined);
	});

t.test("the canary succeeds while writes reach the disk", async (t) => {
	const path = join(t.testdir(), "store.mdb");
	const database = Database.open(path);
	const canary = new Canary(database, 120_000);
	t.equal(await canary.check(), undefined);
	t.equal(await canary.check(), undefined);
	const impatient = new Canary(database, 50);
	const holder = startFixture("hold-write-lock", path);
	await once(holder.stdout ?? holder, "data");
	t.match(await impatient.check(), /longer than 50 ms/);
	t.match(await impatient.check(), /longer than 50 ms/, "waits in one line");
	holder.kill("SIGKILL");
	await once(holder, "close");
	t.equal(await canary.check(), undefined, "and again when they do");
	await database.close();
});

t.test("the status describes the activity", async (t) => {
	const idle = {
		address: "port 7100",
		live: { busy: 0, slots: 8 },
		filesRunning: 0,
		filesWaiting: 0,
	};
	t.equal(statusLine(idle), "port 7100: idle");
	t.equal(
		statusLine({
			...idle,
			live: { busy: 2, slots: 8 },
			filesRunning: 1,
			filesWaiting: 3,
		}),
		"port 7100: 2 of 8 streams, 1 file, 3 files waiting",
	);
});
