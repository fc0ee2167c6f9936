/** The network that an address belongs to, for limits per caller. */
import { anonymousOwner, type Owner, ownerOf } from "../owner.js";
import type { ApiRequest, Principal } from "./exchange.js";

const groups = 8;
/** Groups of an IPv6 address that identify a site: a host may choose the others freely (RFC 4291 2.5.4, RFC 6177). */
const networkGroups = 4;

/**
 * @param address as the server gives it: IPv4, or IPv6 in any spelling.
 * @returns the IPv4 address, also one that is written as IPv6 (::ffff:192.0.2.1); of IPv6 the /64.
 */
export function networkOf(address: string): string {
	if (!address.includes(":")) return address;
	const parts = groupsOf(address);
	const isMapped =
		parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff;
	if (isMapped) return dotted(parts.slice(6));
	const network = parts
		.slice(0, networkGroups)
		.map((group) => group.toString(16));
	return `${network.join(":")}::/64`;
}

/** This machine itself: what it sends crosses no network. */
export function isLoopback(address: string): boolean {
	const network = networkOf(address);
	if (!network.includes(":")) return network.startsWith("127.");
	const parts = groupsOf(address);
	return parts.slice(0, 7).every((part) => part === 0) && parts[7] === 1;
}

function groupsOf(address: string): readonly number[] {
	const [head = "", tail] = address.replace(/%.*$/, "").split("::");
	const before = numbersOf(head);
	if (tail === undefined) return before;
	const after = numbersOf(tail);
	const zeros = Array(Math.max(0, groups - before.length - after.length));
	return [...before, ...zeros.fill(0), ...after];
}

function numbersOf(text: string): number[] {
	if (text === "") return [];
	return text.split(":").flatMap((part) => {
		if (!part.includes(".")) return Number.parseInt(part, 16);
		const [a = 0, b = 0, c = 0, d = 0] = part.split(".").map(Number);
		return [a * 256 + b, c * 256 + d];
	});
}

function dotted(words: readonly number[]): string {
	return words.flatMap((word) => [word >> 8, word & 0xff]).join(".");
}

/** @returns the caller's owner, shared by all tokens of an application; without tokens, the network that the request comes from. */
export function sharerOf(
	{ owner }: Pick<Principal, "owner">,
	{ remoteAddress }: Pick<ApiRequest, "remoteAddress">,
): Owner {
	return owner === anonymousOwner ? ownerOfNetwork(remoteAddress) : owner;
}

/** @returns who a caller without credentials counts as: everybody on its network. */
export function ownerOfNetwork(address: string): Owner {
	return ownerOf("anyone", networkOf(address));
}
