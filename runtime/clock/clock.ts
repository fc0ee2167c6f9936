/** The interface of the appliance's clock (appliance-clock.ts): what time it is, and how far that can be trusted. */
import type { Moment } from "../store/clock-state.js";

export interface Clock {
	/** Unix time of the machine, right or wrong: for display. */
	nowSeconds(): number;
	/**
	 * Unix time for comparing with expiry times: it goes back only to a time that is known to be right.
	 * @param made creation time of what expires; if the clock is known to have been slow then, the result is corrected by that.
	 */
	expirySeconds(made?: Moment): number;
	/** Unix time that has certainly passed: for deleting what has expired. @param made as above */
	certainSeconds(made?: Moment): number;
	/** How long the machine has run: independent of its clock, and never goes back. */
	operatingSeconds(): number;
	/** Age of something: the time that the machine ran since, and was off as far as that is known; never more than the true age. */
	ageSeconds(moment: Moment): number;
	/** False for an hour after a jump of the clock: nothing is deleted for its age then. */
	readonly countsAges: boolean;
}
