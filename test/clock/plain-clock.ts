/** A correct clock on a machine that is never off: the time that a test sets. */
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
			code: "clock-synchronised",
			values: {},
		},
	};
}
