/**
 * The addresses that a client's URL may lead to: the public internet, and what the operator opened (`outbound.allow`). All special addresses of the IANA
 * registries are closed: private, loopback, link-local, metadata, carrier-grade NAT, and every form of IPv6 that contains an IPv4 address. The only file that
 * uses ipaddr.js.
 */
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

interface Opened {
	readonly address: Address;
	readonly prefixBits: number;
}

/** Public according to the registries, but only used for a cloud's own service: Azure's host agent. */
const metadataAddresses: ReadonlySet<string> = new Set(["168.63.129.16"]);

const globalIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Addresses and port of this machine. */
export interface OwnPlace {
	/** Current addresses of its network interfaces. */
	addresses(): readonly string[];
	/** Port of the API. */
	port(): number | undefined;
}

export class AddressRules {
	readonly #names = new Set<string>();
	readonly #opened: Opened[] = [];
	readonly #own: OwnPlace;

	/** @param allow host names, addresses and CIDRs. @throws Error that names an invalid entry. */
	constructor(allow: readonly string[], own: OwnPlace) {
		this.#own = own;
		for (const entry of allow) this.#open(entry.trim().toLowerCase());
	}

	/** Whether the operator opened exactly this host: its addresses need not be public. @param host from `canonicalHost` */
	namesHost(host: string): boolean {
		return this.#names.has(host);
	}

	/** @returns why the address is not allowed; undefined if it is. @param address an IP literal without brackets. */
	objection(address: string, port: number, host = ""): string | undefined {
		const parsed = parse(address);
		if (!parsed) return "it is not an address";
		const text = parsed.toString();
		const opened = this.#prefixOpenedFor(parsed);
		const exactly = opened === bitsOf(parsed) || this.namesHost(host);
		const isOurs =
			parsed.range() === "loopback" ||
			this.#own.addresses().some((it) => parse(it)?.toString() === text);
		// opening a whole network does not open our own port in it
		if (isOurs && port === this.#own.port() && !exactly)
			return "it is this appliance itself";
		if (exactly || opened !== undefined) return undefined;
		if (isOurs) return "it is this appliance itself";
		if (metadataAddresses.has(text)) return "it is a metadata service";
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
			const [address, prefixBits] = cidr(entry);
			this.#opened.push({ address, prefixBits });
			return;
		}
		const address = parse(bare);
		if (address) this.#opened.push({ address, prefixBits: bitsOf(address) });
		else if (/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?$/.test(entry))
			this.#names.add(entry.replace(/\.$/, ""));
		else throw new Error(notAnEntry(entry));
	}

	/** Prefix length of the narrowest entry that contains the address. */
	#prefixOpenedFor(address: Address): number | undefined {
		const fitting = this.#opened
			.filter(
				(it) =>
					it.address.kind() === address.kind() &&
					address.match(it.address as never, it.prefixBits),
			)
			.map((it) => it.prefixBits);
		return fitting.length > 0 ? Math.max(...fitting) : undefined;
	}
}

function cidr(entry: string): [Address, number] {
	try {
		return ipaddr.parseCIDR(entry);
	} catch {
		throw new Error(notAnEntry(entry));
	}
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
