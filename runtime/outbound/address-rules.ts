/**
 * The addresses that a client's URL may lead to: the public internet, and what the operator opened (`outbound.allow`). The networks that this machine is in are
 * closed, and all special addresses of the IANA registries: private, loopback, link-local, metadata, carrier-grade NAT, and IPv6 that contains an IPv4 address,
 * but for the prefix of NAT64 (RFC 6052, section 2.1), which counts as the IPv4 address. The only file that uses ipaddr.js.
 */
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

interface Network {
	/** Any in it. */
	readonly address: Address;
	readonly prefixBits: number;
}

/** Public according to the registries, but only used for a cloud's own service: Azure's host agent. */
const metadataAddresses: ReadonlySet<string> = new Set(["168.63.129.16"]);

const globalIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Addresses and port of this machine. */
export interface OwnPlace {
	/** Current addresses of its network interfaces, each with the length of its network's prefix: `192.168.1.20/24`. */
	networks(): readonly string[];
	/** Port of the API. */
	port(): number | undefined;
}

export class AddressRules {
	readonly #names = new Set<string>();
	readonly #opened: Network[] = [];
	readonly #own: OwnPlace;

	/** @param allow host names, addresses and CIDRs. @throws Error that names an invalid entry. */
	constructor(allow: readonly string[], own: OwnPlace) {
		this.#own = own;
		for (const entry of allow) this.#open(entry.trim().toLowerCase());
	}

	/** Whether the operator opened exactly this host: its addresses need not be public. @param host in lower case, without a final dot */
	namesHost(host: string): boolean {
		return this.#names.has(host);
	}

	/** @returns why the address is not allowed; undefined if it is. @param address an IP literal without brackets. */
	objection(address: string, port: number, host = ""): string | undefined {
		const written = parse(address);
		if (!written) return "it is not an address";
		const parsed = ipv4BehindNat64(written) ?? written;
		const own = this.#own.networks().flatMap((it) => parseNetwork(it) ?? []);
		// an entry of the operator means what it says
		const opened = this.#bitsOpenedFor(parsed, written);
		const exactly = opened === 0 || this.namesHost(host);
		const isOurs =
			parsed.range() === "loopback" ||
			own.some(({ address: it }) => it.toString() === parsed.toString());
		// opening a whole network does not open our own port in it
		if (isOurs && port === this.#own.port() && !exactly)
			return "it is this appliance itself";
		if (exactly || opened !== undefined) return undefined;
		if (isOurs) return "it is this appliance itself";
		if (own.some((it) => it.prefixBits > 0 && contains(it, parsed)))
			return "it is in a network of this appliance";
		if (metadataAddresses.has(parsed.toString()))
			return "it is a metadata service";
		// the tables do not list ::127.0.0.1 as special, but of IPv6 only 2000::/3 is assigned
		const isGlobal = parsed.kind() === "ipv4" || parsed.match(globalIpv6);
		const range = isGlobal ? parsed.range() : specialRangeOf(parsed);
		return range === "unicast"
			? undefined
			: `it is a ${wordsOf(range)} address`;
	}

	#open(entry: string): void {
		const bare = entry.replace(/^\[(.*)\]$/, "$1");
		if (bare.includes("/")) {
			const network = parseNetwork(entry);
			if (!network) throw new Error(notAnEntry(entry));
			this.#opened.push(network);
			return;
		}
		const address = parse(bare);
		if (address) this.#opened.push({ address, prefixBits: bitsOf(address) });
		else if (/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?$/.test(entry))
			this.#names.add(entry.replace(/\.$/, ""));
		else throw new Error(notAnEntry(entry));
	}

	/** Bits that the narrowest entry with one of the addresses leaves open; 0: it is an address. */
	#bitsOpenedFor(...addresses: readonly Address[]): number | undefined {
		const fitting = this.#opened
			.filter((it) => addresses.some((address) => contains(it, address)))
			.map((it) => bitsOf(it.address) - it.prefixBits);
		return fitting.length > 0 ? Math.min(...fitting) : undefined;
	}
}

/** @param cidr e.g. `192.168.1.0/24` */
function parseNetwork(cidr: string): Network | undefined {
	try {
		const [address, prefixBits] = ipaddr.parseCIDR(cidr);
		return { address, prefixBits };
	} catch {
		return undefined;
	}
}

function contains({ address, prefixBits }: Network, other: Address): boolean {
	return (
		address.kind() === other.kind() && other.match(address as never, prefixBits)
	);
}

function notAnEntry(entry: string): string {
	return `outbound.allow must contain host names, addresses and CIDRs, got ${JSON.stringify(entry.slice(0, 80))}`;
}

/** An IPv4 address embedded in IPv6 is treated as that IPv4 address. */
function parse(text: string): Address | undefined {
	const isLiteral =
		text.includes(":") || ipaddr.IPv4.isValidFourPartDecimal(text);
	if (!isLiteral) return undefined;
	try {
		return ipaddr.process(text);
	} catch {
		return undefined;
	}
}

/** Networks without IPv4 of their own reach it by these addresses. */
function ipv4BehindNat64(address: Address): ipaddr.IPv4 | undefined {
	return address.range() === "rfc6052"
		? new ipaddr.IPv4(address.toByteArray().slice(-4))
		: undefined;
}

function bitsOf(address: Address): number {
	return address.kind() === "ipv4" ? 32 : 128;
}

function specialRangeOf(address: Address): string {
	const range = address.range();
	return range === "unicast" ? "reserved" : range;
}

/** `linkLocal` is "link local". */
function wordsOf(range: string): string {
	return range.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}
