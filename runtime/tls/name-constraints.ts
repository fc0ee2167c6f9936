/** Which names an authority may certify (RFC 5280, 4.2.1.10). A certificate with any other name is refused as a whole, so such names are left out. */
import { AsnConvert } from "@peculiar/asn1-schema";
import {
	Certificate,
	id_ce_nameConstraints,
	NameConstraints,
} from "@peculiar/asn1-x509";
import { networkList } from "./network-list.js";
import type { CertifiedNames } from "./x509.js";

/** @param authority DER of its certificate */
export function namesPermittedBy(
	authority: Uint8Array,
	{ dns, addresses }: CertifiedNames,
): CertifiedNames {
	const { tbsCertificate } = AsnConvert.parse(authority, Certificate);
	const found = tbsCertificate.extensions?.find(
		({ extnID }) => extnID === id_ce_nameConstraints,
	);
	if (!found) return { dns, addresses };
	const { permittedSubtrees } = AsnConvert.parse(
		found.extnValue.buffer,
		NameConstraints,
	);
	const subtrees = [...(permittedSubtrees ?? [])].map(({ base }) => base);
	const names = subtrees.flatMap(({ dNSName }) => dNSName ?? []);
	const isIn = networkList(
		subtrees.flatMap(({ iPAddress }) => iPAddress ?? []),
	);
	return {
		dns: dns.filter((name) => names.some((it) => isAtOrBelow(name, it))),
		addresses: addresses.filter(isIn),
	};
}

function isAtOrBelow(name: string, subtree: string): boolean {
	return name === subtree || name.endsWith(`.${subtree}`);
}
