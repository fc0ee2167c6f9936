/** The first access token of a new installation: made once, when there is none at all. */
import type { IssuedToken, TokenRepository } from "./tokens.js";

/** @returns undefined where tokens exist already, also ones that no longer work. */
export async function firstToken(
	tokens: TokenRepository,
	ttlSeconds: number,
	nowSeconds: number = Math.floor(Date.now() / 1000),
): Promise<IssuedToken | undefined> {
	if (!tokens.isEmpty()) return undefined;
	return tokens.create({
		name: "first",
		scopes: ["asr", "hotwords", "files"],
		nowSeconds,
		ttlSeconds,
	});
}
