/** The networks whose machines a listener answers: protocols without credentials have nothing else to tell friends by. */
import { BlockList, isIP } from "node:net";

const bitsMax = { 4: 32, 6: 128 } as const;

export class AllowedNetworks {
	readonly #networks = new BlockList();

	/**
	 * @param entries addresses and networks: `192.168.0.0/16`, `fd00::/8`, `10.0.0.7`
	 * @param setting they are from, for the message
	 * @throws Error that names an invalid entry
	 */
	constructor(entries: readonly string[], setting = "allow") {
		for (const entry of entries)
			if (!this.#add(entry.trim())) throw notAnEntry(entry, setting);
	}

	/** @param address as the socket gives it; an IPv4 address that is written as IPv6 counts as IPv4. */
	has(address: string): boolean {
		const bare = address.replace(/%.*$/, ""); // the zone of a link-local address
		const version = isIP(bare);
		return version !== 0 && this.#networks.check(bare, kindOf(version));
	}

	/** @returns false for what is none. */
	#add(entry: string): boolean {
		const [address = "", bits, ...more] = entry.split("/");
		const version = isIP(address);
		if (version !== 4 && version !== 6) return false;
		const most = bitsMax[version];
		const isWhole = bits === undefined || /^\d{1,3}$/.test(bits);
		const prefix = bits === undefined ? most : Number(bits);
		if (more.length > 0 || !isWhole || prefix > most) return false;
		this.#networks.addSubnet(address, prefix, kindOf(version));
		return true;
	}
}

function kindOf(version: number): "ipv4" | "ipv6" {
	return version === 4 ? "ipv4" : "ipv6";
}

function notAnEntry(entry: string, setting: string): Error {
	return new Error(
		`${setting} must contain addresses and networks such as 192.168.0.0/16, got ${JSON.stringify(entry.slice(0, 80))}`,
	);
}
