/** What shows a token's holder what others say ends with the token: nothing else would notice that it was revoked or has expired, since nobody asks again. */
import type { Principal } from "./exchange.js";

const everyMs = 1000;

/** @param end called once, within a second after the caller's token has ceased to be valid. @returns stops watching */
export function whileInForce(
	principal: Principal,
	end: () => void,
): () => void {
	const timer = setInterval(() => {
		if (isInForce(principal)) return;
		clearInterval(timer);
		end();
	}, everyMs);
	return () => clearInterval(timer);
}

/** Whether the caller's token is still valid. One that can't be read is one that can't be trusted any more. */
export function isInForce(principal: Principal): boolean {
	try {
		return principal.isInForce?.() ?? true;
	} catch {
		return false;
	}
}
