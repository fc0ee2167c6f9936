/** Which addresses lie in some networks. */
import { BlockList, isIP } from "node:net";

/** @param networks as `10.0.0.0/8`. @returns whether an address is in one of them; false for what is no address */
export function networkList(
	networks: readonly string[],
): (address: string) => boolean {
	const list = new BlockList();
	for (const network of networks) {
		const [base = "", bits] = network.split("/");
		list.addSubnet(base, Number(bits), familyOf(base));
	}
	return (address) =>
		isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
	return address.includes(":") ? "ipv6" : "ipv4";
}
