/** The appliance's clock over a real store, on a machine that the test controls. */
import type { Test } from "tap";
import { ApplianceClock } from "../../runtime/clock/appliance-clock.js";
import { openStore, type Store } from "../../runtime/store/open-store.js";
import { listeningLog } from "../engine/fake-lane.js";
import { FakeMachine, march } from "./fake-machine.js";

export interface RunningClock {
	readonly machine: FakeMachine;
	readonly store: Store;
	readonly clock: ApplianceClock;
	/** Log messages above debug level. */
	readonly logged: string[];
	/** The machine runs, then its clocks are read. */
	run(seconds: number): Promise<void>;
	/** Sets another time, then reads the clocks. */
	set(wallSeconds: number): Promise<void>;
}

export async function runningClock(
	t: Test,
	dir = t.testdir(),
): Promise<RunningClock> {
	const machine = new FakeMachine();
	const store = await openStore({ dir, as: "visit" });
	t.teardown(() => store.close());
	return clockOf(store, machine);
}

/** Another start of the program, over the same store. */
export async function clockOf(
	store: Store,
	machine: FakeMachine,
): Promise<RunningClock> {
	const logged: string[] = [];
	const clock = await ApplianceClock.open({
		rows: store.clock,
		machine,
		isSynchronised: async () => machine.synchronised,
		lastWrittenSeconds: machine.wallSeconds(),
		builtSeconds: march - 3600,
		log: listeningLog(({ message }) => logged.push(message)),
	});
	return {
		machine,
		store,
		clock,
		logged,
		run(seconds) {
			machine.run(seconds);
			return clock.update();
		},
		set(wallSeconds) {
			machine.set(wallSeconds);
			return clock.update();
		},
	};
}
