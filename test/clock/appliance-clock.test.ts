/** The appliance's clock over restarts and clock changes. */
import t from "tap";
import { readOnlyClock } from "../../runtime/clock/read-only-clock.js";
import { day, hour, march } from "./fake-machine.js";
import { clockOf, runningClock } from "./running-clock.js";

const near = (found: number, wanted: number) => Math.abs(found - wanted) < 5;

t.test("time for what expires goes back only if it is right", async (t) => {
	const { clock, machine, run, set } = await runningClock(t);
	await run(hour);
	t.ok(near(clock.expirySeconds(), march + hour));
	await set(march - 40 * day);
	t.ok(near(clock.expirySeconds(), march + hour), "set back");
	t.ok(near(clock.nowSeconds(), march - 40 * day), "people read what it says");
	await set(march + 40 * day);
	t.ok(near(clock.expirySeconds(), march + 40 * day), "forward at once");
	t.ok(near(clock.certainSeconds(), march + hour), "nothing goes by that");
	await set(march + 2 * hour);
	t.ok(near(clock.expirySeconds(), march + 2 * hour), "a mistake is mended");
	machine.synchronised = true;
	await set(march - 5 * day);
	t.ok(near(clock.expirySeconds(), march - 5 * day), "back, if it is right");
	machine.set(0);
	t.ok(clock.expirySeconds() >= march - 5 * day, "before the next look, too");
});

t.test(
	"a machine without a battery continues from the saved time",
	async (t) => {
		const first = await runningClock(t);
		await first.run(hour);
		await first.clock.stop();
		for (let start = 1; start <= 2; start++) {
			first.machine.restart(0);
			const again = await clockOf(first.store, first.machine);
			t.ok(again.clock.expirySeconds() >= march + hour, "not in 1970");
			// from 1970 to 1970 is not a jump, and counting continues
			t.equal(again.clock.countsAges, start > 1);
			t.match(again.clock.trust, {
				isTrusted: false,
				says: /^1970-01-01T00:0\d:\d\d\.000Z is before this program was built/,
				code: "clock-before-build",
				values: { at: Number, certain: Number },
			});
			await again.run(hour);
			t.equal(again.clock.countsAges, true);
			t.ok(
				near(again.clock.operatingSeconds(), (start + 1) * hour + start * 10),
			);
			await again.clock.stop();
		}
	},
);

t.test("a jump is reported, and when ages count again", async (t) => {
	const { clock, logged, run, set, machine } = await runningClock(t);
	t.same(logged, []);
	t.match(clock.trust, {
		isTrusted: true,
		isSynchronised: false,
		says: /^not synchronised; the clock agrees with the time/,
		code: "clock-plausible",
	});
	await set(march + 2 * day);
	t.match(logged, [/^system clock jumped/]);
	t.match(clock.trust, {
		isTrusted: false,
		countsAges: false,
		says: /^the clock jumped by more than a day: .* for another 60 minutes$/,
		code: "clock-jumped",
		values: { minutes: 60 },
	});
	await run(hour - 1);
	t.equal(clock.countsAges, false);
	await run(1);
	t.equal(clock.countsAges, true);
	t.equal(logged[1], "retention resumed");
	t.match(clock.trust, { isTrusted: true });
	await set(machine.wallSeconds() - 2 * hour);
	t.match(clock.trust, { isTrusted: true }, "it has caught up with two days");
	machine.synchronised = true;
	await clock.update();
	t.match(clock.trust, { isTrusted: true, code: "clock-synchronised" });
	machine.synchronised = false;
	await set(machine.wallSeconds() - 10 * hour);
	t.match(clock.trust, {
		isTrusted: false,
		says: /is behind the time that has certainly passed .* and the clock is not synchronised$/,
		code: "clock-behind",
		values: { at: Number, certain: Number },
	});
});

t.test("a hold outlasts a restart of the program", async (t) => {
	const { store, machine, set } = await runningClock(t);
	await set(march + 40 * day);
	machine.run(600);
	const again = await clockOf(store, machine);
	t.equal(again.clock.countsAges, false);
	t.same(again.logged, [], "not a second jump");
	await again.run(hour);
	t.equal(again.clock.countsAges, true);
});

t.test("the clock jumped while the program was stopped", async (t) => {
	const { store, clock, machine } = await runningClock(t);
	await clock.stop();
	machine.run(2 * hour);
	machine.set(machine.wallSeconds() + 40 * day);
	const again = await clockOf(store, machine);
	t.equal(again.clock.countsAges, false);
	t.match(again.logged, [/system clock jumped/]);
	t.ok(near(again.clock.operatingSeconds(), 2 * hour));
});

t.test("a command that reads the store uses the server's clock", async (t) => {
	const { store, clock, machine, run } = await runningClock(t);
	await run(hour);
	await clock.stop();
	machine.restart(0);
	const visitor = readOnlyClock(store.clock, machine.read());
	t.ok(near(visitor.expirySeconds(), march + hour + 10));
	t.ok(near(visitor.operatingSeconds() ?? 0, hour + 10));
	const fresh = readOnlyClock({ read: () => undefined }, machine.read());
	t.equal(fresh.expirySeconds(), 10);
	t.equal(fresh.operatingSeconds(), undefined);
});

t.test("a full disk does not stop the clock", async (t) => {
	const { store, logged, machine } = await runningClock(t);
	store.clock.write = () => Promise.reject(new Error("the disk is full"));
	const { clock, logged: lines } = await clockOf(store, machine);
	machine.run(hour);
	await clock.stop();
	t.same([logged, [...new Set(lines)]], [[], ["failed to save the time"]]);
	t.ok(near(clock.expirySeconds(), march + hour));
});
