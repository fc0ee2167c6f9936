/** May a host be connected to that the operator configured, by a program which resolves its name again? */
import { AddressRules } from "./address-rules.js";
import {
	Deadline,
	networksOfThisMachine,
	resolveBySystem,
} from "./outbound.js";
import { OutboundError } from "./outbound-error.js";

/** Below the time after which a capture process is given up, above the five seconds that a name server which is gone costs where there is another. */
const lookupSecondsMax = 8;

/**
 * @param allow `outbound.allow`
 * @returns why not; undefined if all its addresses are allowed, or if it has none now. @throws OutboundError where no name server answers
 */
export async function hostObjection(
	{ host, port }: { readonly host: string; readonly port: number },
	allow: readonly string[],
	resolve = resolveBySystem,
): Promise<string | undefined> {
	const rules = new AddressRules(allow, {
		networks: networksOfThisMachine,
		port: () => undefined,
	});
	const deadline = new Deadline(lookupSecondsMax, undefined, "the name lookup");
	const addresses = await deadline
		.race(resolve(host).catch(noneUnlessUnanswered))
		.finally(() => deadline.clear());
	for (const address of addresses) {
		const why = rules.objection(address, port, host.toLowerCase());
		if (why !== undefined) return why;
	}
	return undefined;
}

/** A name that is unknown has no address; one that nobody could be asked about may have any. @throws OutboundError */
function noneUnlessUnanswered(error: NodeJS.ErrnoException): string[] {
	if (error.code !== "EAI_AGAIN") return [];
	throw new OutboundError(
		"unreachable",
		"its name could not be looked up: no name server answers",
		error,
	);
}
