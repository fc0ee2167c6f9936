/** Under which names and addresses clients on the local network reach this device. */

import { isIP, isIPv6 } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { networkList } from "./network-list.js";
import type { CertifiedNames, PermittedNames } from "./x509.js";

/**
 * Top-level names that no public authority certifies: multicast DNS (RFC 6762), home networks (RFC 8375), and what routers use. The authority of a device can
 * certify nothing else, so that a stolen key is of no use against sites on the internet.
 */
const localDomains = ["localhost", "local", "lan", "home.arpa"];

/** Loopback, private (RFC 1918, RFC 4193) and link-local addresses. */
const localNetworks: readonly string[] = [
	"127.0.0.0/8",
	"10.0.0.0/8",
	"172.16.0.0/12",
	"192.168.0.0/16",
	"169.254.0.0/16",
	"::1/128",
	"fc00::/7",
	"fe80::/10",
];

const isLocal = networkList(localNetworks);

/** What the machine says of itself; a parameter in tests. */
export interface Machine {
	readonly hostName: string;
	readonly addresses: readonly string[];
}

/** Networks of containers and virtual machines on this device: nobody else reaches it there, and they come and go with each container. */
const internalNetworks =
	/^(?:docker|veth|virbr|ifb|podman|cni|lxc)|^br-[0-9a-f]{12}$/;

/** @param name of a network interface */
export function isInternalNetwork(name: string): boolean {
	return internalNetworks.test(name);
}

/** @param interfaces by name */
export function thisMachine(interfaces = networkInterfaces()): Machine {
	const addresses = Object.entries(interfaces)
		.filter(([name]) => !isInternalNetwork(name))
		.flatMap(([, it]) => it ?? [])
		.map(({ address }) => address);
	return { hostName: hostname(), addresses };
}

/** What other machines call this one: the first name or address that its owner gave it (`tls.names`), else its own name. For links. */
export function reachableHost(names: readonly string[]): string {
	const [name = ownHostName()] = names;
	return isIPv6(name) ? `[${name}]` : name;
}

/** The name that other machines of the network most likely know: `kiosk.local` of a bare `kiosk`. */
export function ownHostName(machine = thisMachine()): string {
	const { dns } = namesOf(machine, []);
	return dns.findLast((it) => it !== "localhost") ?? machine.hostName;
}

/** @param further names and addresses from the configuration (`tls.names`) */
export function namesOf(
	machine: Machine,
	further: readonly string[],
): CertifiedNames {
	const host = dnsName(machine.hostName);
	const own = host
		? [host, ...(host.includes(".") ? [] : [`${host}.local`])]
		: [];
	const dns = [...own, "localhost"];
	const addresses = machine.addresses.map(plainAddress).filter(isLocal);
	for (const name of further)
		if (isIP(name) !== 0) addresses.push(plainAddress(name));
		else dns.push(name.toLowerCase());
	return { dns: unique(dns), addresses: unique(addresses) };
}

/** What an authority made now may certify: local names and networks, and what the configuration names. */
export function permittedFor(
	machine: Machine,
	further: readonly string[],
): PermittedNames {
	const { dns, addresses } = namesOf(machine, further);
	const beyond = addresses.filter((it) => !isLocal(it));
	return {
		dns: unique([...localDomains, ...dns.filter((it) => !isBelow(it))]),
		networks: [
			...localNetworks,
			...beyond.map((it) => `${it}/${it.includes(":") ? 128 : 32}`),
		],
	};
}

function isBelow(name: string): boolean {
	return localDomains.some((it) => name === it || name.endsWith(`.${it}`));
}

/** Without a zone (`fe80::1%eth0`), which is of this machine alone; of IPv6 the one form of an address (RFC 5952), in hexadecimal groups alone. */
export function plainAddress(address: string): string {
	const [plain = address] = address.split("%");
	return isIPv6(plain)
		? new URL(`http://[${plain}]`).hostname.slice(1, -1)
		: plain;
}

/** @returns undefined for what can't be a name in a certificate, as a host name with an underscore. */
function dnsName(name: string): string | undefined {
	const lower = name.toLowerCase();
	const label = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
	return new RegExp(`^${label}(\\.${label})*$`).test(lower) ? lower : undefined;
}

function unique(texts: readonly string[]): string[] {
	return [...new Set(texts)];
}
