/** The keys that may sign another version: those of the configuration, or the one that the executable was built with. */
import { type PublicKey, readPublicKey } from "./minisign.js";
import { UpdateError } from "./update-error.js";

/** @param configured `update.keys`. @param builtIn of the executable, if it has one. @throws UpdateError */
export function trustedKeys(
	configured: readonly string[],
	builtIn: string | undefined,
): readonly PublicKey[] {
	const texts = configured.length > 0 ? configured : [builtIn ?? ""];
	if (texts[0] === "")
		throw new UpdateError(
			"no key is trusted to sign updates: set update.keys to the public key of the publisher",
		);
	return texts.map(readPublicKey);
}
