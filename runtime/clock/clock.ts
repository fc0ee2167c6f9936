/** What time it is, and how far that may be believed: what the rooms ask, and of whom (appliance-clock.ts). */
import type { Moment } from "../store/clock-state.js";

export interface Clock {
	/** Unix time as the machine has it, right or wrong: for what people read. */
	nowSeconds(): number;
	/**
	 * Unix time for what expires: it goes back only to a time that is known to be right.
	 * @param made what expires was made then; where the clock is known to have been behind, the time that it would have now.
	 */
	expirySeconds(made?: Moment): number;
	/** Unix time that has passed for certain: for what is forgotten when it has expired. @param made as above */
	certainSeconds(made?: Moment): number;
	/** How long the machine has run: it goes on whatever its clock does, and never goes back. */
	operatingSeconds(): number;
	/** How old something is: the time that the machine ran since, and was off as far as that is known; never more than it can be. */
	ageSeconds(moment: Moment): number;
	/** False for an hour behind a jump of the clock: nothing goes for its age then. */
	readonly countsAges: boolean;
}
