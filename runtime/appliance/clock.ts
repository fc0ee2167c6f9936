/** The clock of this appliance, on this machine. */
import { openTimeSync } from "../../drivers/clock/time-sync.js";
import { ApplianceClock } from "../clock/appliance-clock.js";
import { thisMachine } from "../clock/machine-time.js";
import { builtAt } from "../config/own-program.js";
import type { Logger } from "../log/log.js";
import type { Store } from "../store/open-store.js";

/** @param lastWrittenSeconds time of the last write to the database, from before it was opened. */
export function openClock(
	store: Pick<Store, "clock">,
	lastWrittenSeconds: number | undefined,
	log: Logger,
): Promise<ApplianceClock> {
	return ApplianceClock.open({
		rows: store.clock,
		machine: thisMachine,
		isSynchronised: openTimeSync(),
		lastWrittenSeconds,
		builtSeconds: builtAt().getTime() / 1000,
		log,
	});
}
