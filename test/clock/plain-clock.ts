/** A clock that is right, on a machine that never stands still: what a test says the time is. */
import type { Clock } from "../../runtime/clock/clock.js";
import type { ClockTrust } from "../../runtime/clock/trust.js";

export function plainClock(
	nowSeconds: () => number = () => Date.now() / 1000,
): Clock & { readonly trust: ClockTrust } {
	return {
		nowSeconds,
		expirySeconds: nowSeconds,
		certainSeconds: nowSeconds,
		operatingSeconds: nowSeconds,
		ageSeconds: ({ seconds }) => Math.max(0, nowSeconds() - seconds),
		countsAges: true,
		trust: {
			isTrusted: true,
			isSynchronised: true,
			countsAges: true,
			says: "synchronised",
		},
	};
}
