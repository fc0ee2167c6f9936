/** Retention with the real sweepers and stores, on a machine whose clock is or was wrong. */
import { join } from "node:path";
import t, { type Test } from "tap";
import { AudioLinks } from "../../runtime/recordings/audio-links.js";
import { Recordings } from "../../runtime/recordings/recordings.js";
import { Sweeper } from "../../runtime/tasks/sweeper.js";
import { listeningLog } from "../engine/fake-lane.js";
import { eventually } from "../fixtures/eventually.js";
import { housekeepingOf } from "../store/housekeeping-of.js";
import { runningTasks } from "../tasks/running-tasks.js";
import { day, hour, march } from "./fake-machine.js";
import { plainClock } from "./plain-clock.js";
import { runningClock } from "./running-clock.js";

const never = (async () => {
	throw new Error("nothing is converted here");
}) as never;

async function device(t: Test) {
	const folder = t.testdir({ store: {}, tasks: {} });
	const dir = join(folder, "store");
	const time = await runningClock(t, dir);
	const { clock, store } = time;
	const log = listeningLog(() => {});
	const running = await runningTasks(t, {
		dir: join(folder, "tasks"),
		clock,
	});
	const sweeper = new Sweeper({
		store: running.store,
		tasks: running.tasks,
		audio: running.audio,
		async *othersAudio() {},
		resultDays: 31,
		audioDays: 30,
		clock,
		log,
	});
	const recordings = new Recordings({
		rows: store.recordings,
		shelf: running.audio,
		encoder: never,
		links: new AudioLinks(Buffer.alloc(32)),
		clock,
		log: log as never,
	});
	const housekeeping = housekeepingOf(store, dir, { clock });
	let ids = 0;
	return {
		...time,
		/** A task that is finished, and a recording. */
		async make() {
			const task = await running.submit(["one"]);
			await running.finished(task);
			const id = String(++ids).padStart(22, "0");
			await store.recordings.put({
				id,
				owner: "token:kiosk",
				format: "wav",
				audioId: id,
				createdSeconds: clock.nowSeconds(),
				createdOperatingSeconds: clock.operatingSeconds(),
				holds: { is: "pcm", sampleRateHz: 16_000 },
			});
			return { task, id };
		},
		async sweep() {
			await sweeper.runOnce();
			await recordings.sweep();
			await housekeeping.runOnce();
		},
		/** What is left of them. */
		left: ({ task, id }: { task: string; id: string }) => [
			running.tasks.find(task) !== undefined,
			store.recordings.find(id) !== undefined,
		],
	};
}

t.test("a clock that jumps into the future removes nothing", async (t) => {
	const { make, run, set, sweep, left, logged } = await device(t);
	const made = await make();
	for (const ahead of [40 * day, 3650 * day]) {
		await set(march + ahead);
		await sweep();
		t.same(left(made), [true, true], "at once");
		await run(2 * hour);
		await sweep();
		t.same(left(made), [true, true], "nor later");
	}
	t.match(logged, [
		/^system clock jumped, deletion by age suspended for an hour$/,
		"retention resumed",
		/^system clock jumped/,
		"retention resumed",
	]);
	await run(31 * day);
	await sweep();
	t.same(left(made), [false, false], "but for having been there that long");
});

t.test(
	"tasks finished before the clock is set are kept, old ones are removed",
	async (t) => {
		const { make, machine, run, set, clock, sweep, left } = await device(t);
		machine.synchronised = true;
		await clock.update();
		const old = await make();
		await run(hour);
		machine.synchronised = false;
		machine.restart(machine.wallSeconds()); // off for 40 days, without a battery
		await run(600);
		const young = await make();
		machine.synchronised = true;
		await set(machine.wallSeconds() + 40 * day);
		await sweep();
		t.same([left(old), left(young)].flat(), [true, true, true, true]);
		await run(hour);
		await sweep();
		t.same(left(young), [true, true], "made an hour ago, whatever it says");
		t.same(left(old), [false, false], "forty days old");
		await run(29 * day);
		await sweep();
		t.same(left(young), [true, true]);
		await run(2 * day);
		await sweep();
		t.same(left(young), [false, false]);
	},
);

t.test(
	"tokens and nonces are removed once they have certainly expired",
	async (t) => {
		const { store, set, run, sweep, clock } = await device(t);
		const request = {
			name: "kiosk",
			scopes: ["asr"] as const,
			ttlSeconds: 7 * day,
			nowSeconds: clock.expirySeconds(),
			operatingSeconds: clock.operatingSeconds(),
		};
		const { token } = await store.tokens.create(request);
		await store.nonces.use("app", "once", march + 300);
		const isValid = () =>
			store.tokens.findValid(token, (made) => clock.expirySeconds(made)) !==
			undefined;
		await set(march + 3650 * day);
		t.equal(isValid(), false, "not certain: refused");
		await run(2 * hour);
		await sweep();
		t.equal(store.tokens.list().length, 1, "but not forgotten");
		await set(march + 2 * hour);
		t.equal(isValid(), true, "the mistake is mended");
		await run(2 * hour);
		await sweep();
		t.equal(
			await store.nonces.use("app", "once", march + 300),
			true,
			"four hours later it is not needed",
		);
		await run(15 * day);
		t.equal(isValid(), false);
		await sweep();
		t.equal(store.tokens.list().length, 0);
	},
);

t.test(
	"a token created before the clock is set keeps its lifetime",
	async (t) => {
		const { store, machine, set, run, clock } = await device(t);
		await set(machine.wallSeconds() - 400 * day);
		const request = {
			name: "first",
			scopes: ["asr"] as const,
			ttlSeconds: 7 * day,
			nowSeconds: clock.expirySeconds(),
			operatingSeconds: clock.operatingSeconds(),
		};
		const { token } = await store.tokens.create(request);
		const isValid = () =>
			store.tokens.findValid(token, (made) => clock.expirySeconds(made)) !==
			undefined;
		machine.synchronised = true;
		await set(march + 200 * day);
		t.equal(isValid(), true);
		await run(7 * day - hour);
		t.equal(isValid(), true);
		await run(2 * hour);
		t.equal(isValid(), false, "and no longer");
		machine.synchronised = false;
		await set(march);
		t.equal(isValid(), false, "nor again when the clock goes back");
		machine.restart(0);
		await clock.update();
		t.equal(isValid(), false, "nor after a start in 1970");
	},
);

t.test("setting the clock neither delays nor ends callbacks", async (t) => {
	const time = { wallSeconds: march, ranSeconds: 0 };
	const running = await runningTasks(t, {
		clock: {
			...plainClock(() => time.wallSeconds),
			operatingSeconds: () => time.ranSeconds,
			ageSeconds: ({ operatingSeconds = 0 }) =>
				time.ranSeconds - operatingSeconds,
		},
		transport: { send: () => Promise.reject(new Error("unreachable")) },
	});
	const callbackUrl = "http://127.0.0.1:9/";
	const id = await running.submit(["one"], { callbackUrl });
	const { outbox } = running.store;
	const steps = [-400 * day, 40 * day, -3650 * day, 0];
	for (let tries = 1; ; tries++) {
		const row = await eventually(`try ${tries}`, () => {
			running.callbacks.onTaskChanged("nobody's"); // checks what is due
			const found = outbox.find(id);
			return found && found.tries.length >= tries ? found : undefined;
		});
		if (row.state === "given up") break;
		const waitSeconds = row.dueSeconds - time.wallSeconds;
		time.ranSeconds += waitSeconds + 1;
		time.wallSeconds += waitSeconds + 1 + (steps[tries % 4] as number);
	}
	t.ok(time.ranSeconds >= day, `${time.ranSeconds / hour} hours`);
	t.ok(time.ranSeconds < 31 * hour);
});

t.test("a start in 1970 does not hold up callbacks", async (t) => {
	const dir = t.testdir();
	const time = { wallSeconds: march, ranSeconds: 1000 };
	const start = () =>
		runningTasks(t, {
			dir,
			clock: {
				...plainClock(() => time.wallSeconds),
				operatingSeconds: () => time.ranSeconds,
			},
			transport: { send: () => Promise.reject(new Error("unreachable")) },
		});
	const first = await start();
	const callbackUrl = "http://any.example/";
	const id = await first.submit(["one"], { callbackUrl });
	const triesOf = ({ store }: typeof first) =>
		store.outbox.find(id)?.tries.length;
	await eventually("its first try", () => triesOf(first) === 1);
	await first.close();
	time.wallSeconds = 0;
	time.ranSeconds += 20; // the pause after the first try is shorter
	const second = await start();
	await eventually("its second try", () => triesOf(second) === 2);
});
