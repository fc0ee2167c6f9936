/** Scopes as they are typed. */
import { type Scope, scopes } from "../store/token-row.js";
import { UsageError } from "./verb.js";

/** @throws UsageError */
export function parseScopes(text: string): Scope[] {
	if (text === "all") return ["asr", "hotwords", "files"];
	const requested = [...new Set(text.split(",").map((it) => it.trim()))];
	const known = scopes.filter((scope) => requested.includes(scope));
	if (known.length !== requested.length)
		throw new UsageError(
			`--scope must be all, or one or more of ${scopes.join(",")}, got "${text}"`,
		);
	return known;
}
