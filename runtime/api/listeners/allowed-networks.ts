/** The networks whose machines a listener answers: protocols without credentials have nothing else to tell friends by. */
import { BlockList, isIP } from "node:net";

const bitsMax = { 4: 32, 6: 128 } as const;

export class AllowedNetworks {
	readonly #networks = new BlockList();

	/** @param entries addresses and networks: `192.168.0.0/16`, `fd00::/8`, `10.0.0.7`. @throws Error that names an invalid entry. */
	constructor(entries: readonly string[]) {
		for (const entry of entries) this.#add(entry.trim());
	}

	/** @param address as the socket gives it; an IPv4 address that is written as IPv6 counts as IPv4. */
	has(address: string): boolean {
		const bare = address.replace(/%.*$/, ""); // the zone of a link-local address
		const version = isIP(bare);
		return version !== 0 && this.#networks.check(bare, kindOf(version));
	}

	#add(entry: string): void {
		const [address = "", bits, ...more] = entry.split("/");
		const version = isIP(address);
		if (version !== 4 && version !== 6) throw notAnEntry(entry);
		const most = bitsMax[version];
		const isWhole = bits === undefined || /^\d{1,3}$/.test(bits);
		const prefix = bits === undefined ? most : Number(bits);
		if (more.length > 0 || !isWhole || prefix > most) throw notAnEntry(entry);
		this.#networks.addSubnet(address, prefix, kindOf(version));
	}
}

function kindOf(version: number): "ipv4" | "ipv6" {
	return version === 4 ? "ipv4" : "ipv6";
}

function notAnEntry(entry: string): Error {
	return new Error(
		`allow must contain addresses and networks such as 192.168.0.0/16, got ${JSON.stringify(entry.slice(0, 80))}`,
	);
}
