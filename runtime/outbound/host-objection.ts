/** May a host be connected to that the operator configured, by a program which resolves its name again? */
import { AddressRules } from "./address-rules.js";
import { networksOfThisMachine, resolveBySystem } from "./outbound.js";

/** @param allow `outbound.allow` @returns why not; undefined if all its addresses are allowed, or if it has none now. */
export async function hostObjection(
	{ host, port }: { readonly host: string; readonly port: number },
	allow: readonly string[],
): Promise<string | undefined> {
	const rules = new AddressRules(allow, {
		networks: networksOfThisMachine,
		port: () => undefined,
	});
	const addresses = await resolveBySystem(host).catch(() => []);
	for (const address of addresses) {
		const why = rules.objection(address, port, host.toLowerCase());
		if (why !== undefined) return why;
	}
	return undefined;
}
