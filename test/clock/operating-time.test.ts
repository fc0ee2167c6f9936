/** Counting time while clocks are set, stand still, start in 1970 or in 2036. */
import t from "tap";
import {
	advance,
	ageSeconds,
	beginning,
	certainSeconds,
	isHeld,
} from "../../runtime/clock/operating-time.js";
import { day, FakeMachine, hour, march } from "./fake-machine.js";

/** A device, and the ages that it computes for noted moments. */
function device() {
	const machine = new FakeMachine();
	const reading = () => ({
		...machine.read(),
		synchronised: machine.synchronised,
	});
	let state = advance(beginning(reading()), reading()).state;
	const update = () => {
		const { state: next, jumpSeconds } = advance(state, reading());
		state = next;
		return jumpSeconds;
	};
	return {
		machine,
		update,
		/** It runs, and is read every minute. */
		run(seconds: number) {
			for (let left = seconds; left > 0; left -= 60) {
				machine.run(Math.min(60, left));
				update();
			}
		},
		note: () => ({
			seconds: machine.wallSeconds(),
			operatingSeconds: state.operatingSeconds,
		}),
		age: (moment: Parameters<typeof ageSeconds>[1]) =>
			Math.round(ageSeconds(state, moment)),
		certain: () => Math.round(certainSeconds(state)),
		isHeld: () => isHeld(state),
		get state() {
			return state;
		},
	};
}

t.test("while a machine runs, ages grow with its running time", async (t) => {
	const { run, note, age } = device();
	const made = note();
	run(5 * hour);
	t.equal(age(made), 5 * hour);
	t.equal(age({ seconds: made.seconds }), 5 * hour, "of an older version too");
});

t.test("setting the clock makes nothing older or younger", async (t) => {
	const { machine, run, update, note, age, isHeld } = device();
	const made = note();
	for (const jump of [40 * day, -80 * day, 3650 * day, -2 * day]) {
		run(hour);
		machine.set(machine.wallSeconds() + jump);
		t.equal(Math.round(update() ?? 0), jump, "the jump is reported");
		t.ok(isHeld(), "and nothing is removed");
	}
	t.equal(age(made), 4 * hour);
	run(hour - 60);
	t.ok(isHeld());
	run(60);
	t.notOk(isHeld(), "an hour later ages count");
	t.equal(age(made), 5 * hour);
});

t.test("a step of less than a day is not a jump", async (t) => {
	const { machine, update, isHeld } = device();
	for (const step of [hour, -hour, 23 * hour]) {
		machine.set(machine.wallSeconds() + step);
		t.equal(update(), undefined);
		t.notOk(isHeld());
	}
});

t.test("a night off counts, however the clock is kept", async (t) => {
	const { machine, run, update, note, age } = device();
	const made = note();
	run(hour);
	machine.restart(machine.wallSeconds() + 12 * hour);
	update();
	t.equal(age(made), 13 * hour + 10);
});

t.test(
	"a month off, the clock stands still until it is synchronised",
	async (t) => {
		const { machine, run, update, note, age, isHeld, certain } = device();
		machine.synchronised = true;
		update();
		const before = note();
		run(hour);
		machine.synchronised = false;
		machine.restart(machine.wallSeconds()); // no battery: the same time as before
		update();
		run(600);
		const made = note();
		run(600);
		t.equal(age(made), 600);
		machine.synchronised = true;
		machine.set(machine.wallSeconds() + 30 * day);
		t.ok(update(), "a jump");
		t.ok(isHeld());
		t.equal(age(made), 600, "made when the clock was wrong: as young as it is");
		t.equal(
			age(before),
			30 * day + hour + 10 + 1200,
			"from before: the month counts",
		);
		t.equal(certain(), machine.wallSeconds());
		run(hour);
		t.notOk(isHeld());
		t.equal(age(made), 600 + hour);
	},
);

t.test("a month off that no source confirms does not count", async (t) => {
	const { machine, run, update, note, age, isHeld } = device();
	const made = note();
	machine.synchronised = true;
	run(hour);
	machine.synchronised = false;
	machine.restart(machine.wallSeconds() + 30 * day); // a battery, or 2036
	t.equal(Math.round((update() ?? 0) / day), 30);
	t.ok(isHeld());
	run(2 * hour);
	t.notOk(isHeld());
	t.equal(age(made), 3 * hour + 10);
	machine.synchronised = true;
	update();
	t.equal(
		age(made),
		30 * day + 3 * hour + 10,
		"until the clock is synchronised",
	);
});

t.test("a machine that starts in 1970 each time", async (t) => {
	const { machine, run, update, note, age, certain } = device();
	const first = note();
	const notes = [first];
	for (let start = 0; start < 3; start++) {
		run(hour);
		machine.restart(0);
		update();
		notes.push(note());
	}
	run(hour);
	t.equal(age(first), 4 * hour + 30);
	t.same(
		notes.map((it) => Math.floor(age(it) / hour)),
		[4, 3, 2, 1],
	);
	t.equal(certain(), march + 4 * hour + 30, "it is later than that at least");
	machine.synchronised = true;
	machine.set(march + 10 * day);
	update();
	t.equal(age(first), 4 * hour + 30, "it is unknown when the days passed");
	t.equal(certain(), march + 10 * day);
});

t.test("years of starts without a right clock, then one", async (t) => {
	const { machine, run, update, note, age } = device();
	machine.synchronised = true;
	update();
	const old = note();
	run(60);
	machine.synchronised = false;
	machine.restart(machine.wallSeconds());
	update();
	run(hour);
	const made = note();
	machine.restart(machine.wallSeconds());
	update();
	run(hour);
	machine.synchronised = true;
	machine.set(machine.wallSeconds() + 400 * day);
	update();
	t.ok(age(made) < 2 * hour, "made since the clock was last known to be right");
	t.ok(age(old) > 400 * day);
});

t.test("time that was wrongly believed is removed", async (t) => {
	const { machine, run, update, note, age, certain } = device();
	machine.synchronised = true;
	update();
	const made = note();
	run(60);
	machine.restart(machine.wallSeconds() + 3650 * day); // its time server is wrong
	update();
	t.ok(age(made) > 3600 * day);
	run(600);
	machine.set(march + 2 * day);
	t.ok(update());
	t.equal(age(made), 2 * day);
	t.equal(certain(), march + 2 * day, "what passed in all");
});

t.test("the program's own pauses count as the machine's running", async (t) => {
	const { machine, update, note, age } = device();
	const made = note();
	machine.run(3 * day); // the service was stopped
	t.equal(update(), undefined, "no jump: the machine counted them");
	t.equal(age(made), 3 * day);
});

t.test("the first start uses the times on the disk", async (t) => {
	const machine = new FakeMachine();
	const start = (wallSeconds: number, writtenSeconds: number) => {
		machine.set(wallSeconds);
		const reading = { ...machine.read(), synchronised: false };
		return advance(beginning(reading, writtenSeconds), reading);
	};
	const old = { seconds: march - 10 * day };
	const soon = start(march + 60, march);
	t.equal(ageSeconds(soon.state, old), 10 * day + 60);
	t.equal(soon.jumpSeconds, undefined);
	const future = start(march + 3650 * day, march);
	t.ok(isHeld(future.state));
	t.equal(
		ageSeconds(future.state, old),
		10 * day,
		"years that were not counted",
	);
	const past = start(0, march);
	t.ok(isHeld(past.state));
	t.equal(ageSeconds(past.state, old), 10 * day);
});

t.test("daily starts for years do not grow the state", async (t) => {
	const its = device();
	const { machine, run, update, note, age } = its;
	const made = note();
	run(60);
	for (let start = 0; start < 2500; start++) {
		machine.restart(machine.wallSeconds() + hour);
		update();
	}
	t.equal(its.state.offTimes.length, 400);
	t.equal(age(made), 60 + 2500 * (hour + 10));
});
