/**
 * Writes X.509 certificates (RFC 5280) with keys on the curve P-256. Node reads certificates but can't make them; the structures come from a library, the
 * keys and signatures from Node.
 */

import {
	createHash,
	createPublicKey,
	generateKeyPairSync,
	type KeyObject,
	randomBytes,
	sign,
} from "node:crypto";
import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import * as asn1 from "@peculiar/asn1-x509";

/** RFC 5758, 3.2. */
const ecdsaWithSha256 = "1.2.840.10045.4.3.2";
/** RFC 4519, 2.3. */
const commonName = "2.5.4.3";
const serverAuth = "1.3.6.1.5.5.7.3.1";

/** What a certificate for a server may name. */
export interface CertifiedNames {
	readonly dns: readonly string[];
	/** IPv4 and IPv6, as text. */
	readonly addresses: readonly string[];
}

/** What the certificates of an authority may name (RFC 5280, 4.2.1.10). */
export interface PermittedNames {
	/** Each with everything below it. */
	readonly dns: readonly string[];
	/** As `10.0.0.0/8`. */
	readonly networks: readonly string[];
}

export interface Validity {
	readonly from: Date;
	readonly until: Date;
}

/** A key and its certificate. */
export interface Identity {
	readonly key: KeyObject;
	/** DER. */
	readonly certificate: Buffer;
}

export interface AuthorityRequest {
	readonly name: string;
	readonly validity: Validity;
	readonly permitted: PermittedNames;
}

export interface ServerRequest {
	readonly name: string;
	readonly validity: Validity;
	readonly names: CertifiedNames;
	readonly authority: Identity;
}

/** A self-signed authority that may sign certificates of servers with the permitted names, and no other authority. */
export function makeAuthority(request: AuthorityRequest): Identity {
	const key = newKey();
	const { dns, networks } = request.permitted;
	const permitted = [
		...dns.map((dNSName) => new asn1.GeneralName({ dNSName })),
		...networks.map((iPAddress) => new asn1.GeneralName({ iPAddress })),
	];
	const constraints = new asn1.NameConstraints({
		permittedSubtrees: new asn1.GeneralSubtrees(
			permitted.map((base) => new asn1.GeneralSubtree({ base })),
		),
	});
	const usage = asn1.KeyUsageFlags.keyCertSign | asn1.KeyUsageFlags.cRLSign;
	const certificate = signed({
		subject: distinguishedName(request.name),
		issuer: distinguishedName(request.name),
		validity: request.validity,
		key,
		signer: key,
		extensions: [
			extension(
				asn1.id_ce_basicConstraints,
				new asn1.BasicConstraints({ cA: true, pathLenConstraint: 0 }),
				true,
			),
			extension(asn1.id_ce_keyUsage, new asn1.KeyUsage(usage), true),
			extension(asn1.id_ce_nameConstraints, constraints, true),
		],
	});
	return { key, certificate };
}

/** A server's certificate, signed by the authority. */
export function makeServer(request: ServerRequest): Identity {
	const key = newKey();
	const { authority, names } = request;
	const alternatives = [
		...names.dns.map((dNSName) => new asn1.GeneralName({ dNSName })),
		...names.addresses.map((iPAddress) => new asn1.GeneralName({ iPAddress })),
	];
	const issued = AsnConvert.parse(authority.certificate, asn1.Certificate);
	const certificate = signed({
		subject: distinguishedName(request.name),
		issuer: issued.tbsCertificate.subject,
		validity: request.validity,
		key,
		signer: authority.key,
		extensions: [
			extension(
				asn1.id_ce_basicConstraints,
				new asn1.BasicConstraints({ cA: false }),
				true,
			),
			extension(
				asn1.id_ce_keyUsage,
				new asn1.KeyUsage(asn1.KeyUsageFlags.digitalSignature),
				true,
			),
			extension(
				asn1.id_ce_extKeyUsage,
				new asn1.ExtendedKeyUsage([serverAuth]),
			),
			extension(
				asn1.id_ce_subjectAltName,
				new asn1.SubjectAlternativeName(alternatives),
			),
		],
	});
	return { key, certificate };
}

interface SigningRequest {
	readonly subject: asn1.Name;
	readonly issuer: asn1.Name;
	readonly validity: Validity;
	/** The private key of what is certified. */
	readonly key: KeyObject;
	/** The private key of the issuer. */
	readonly signer: KeyObject;
	readonly extensions: readonly asn1.Extension[];
}

function signed(request: SigningRequest): Buffer {
	const algorithm = new asn1.AlgorithmIdentifier({
		algorithm: ecdsaWithSha256,
	});
	const { from: notBefore, until: notAfter } = request.validity;
	const content = new asn1.TBSCertificate({
		version: asn1.Version.v3,
		serialNumber: binary(serialNumber()),
		signature: algorithm,
		issuer: request.issuer,
		subject: request.subject,
		validity: new asn1.Validity({ notBefore, notAfter }),
		subjectPublicKeyInfo: AsnConvert.parse(
			publicKey(request.key),
			asn1.SubjectPublicKeyInfo,
		),
		extensions: new asn1.Extensions([
			...request.extensions,
			extension(
				asn1.id_ce_subjectKeyIdentifier,
				new asn1.SubjectKeyIdentifier(keyIdentifier(request.key)),
			),
			extension(
				asn1.id_ce_authorityKeyIdentifier,
				new asn1.AuthorityKeyIdentifier({
					keyIdentifier: new asn1.KeyIdentifier(keyIdentifier(request.signer)),
				}),
			),
		]),
	});
	const bytes = Buffer.from(AsnConvert.serialize(content));
	const signature = sign("sha256", bytes, request.signer);
	const certificate = new asn1.Certificate({
		tbsCertificate: content,
		signatureAlgorithm: algorithm,
		signatureValue: binary(signature),
	});
	return Buffer.from(AsnConvert.serialize(certificate));
}

function newKey(): KeyObject {
	return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

/** 127 random bits: positive, as RFC 5280, 4.1.2.2 demands, and never the same twice. */
function serialNumber(): Buffer {
	const serial = randomBytes(16);
	serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
	return serial;
}

function publicKey(key: KeyObject): Buffer {
	return createPublicKey(key).export({ type: "spki", format: "der" });
}

/** RFC 7093, 2, method 1: the left 160 bits of the SHA-256 of the public key. */
function keyIdentifier(key: KeyObject): ArrayBuffer {
	const info = AsnConvert.parse(publicKey(key), asn1.SubjectPublicKeyInfo);
	const hash = createHash("sha256").update(Buffer.from(info.subjectPublicKey));
	return binary(hash.digest().subarray(0, 20));
}

function distinguishedName(name: string): asn1.Name {
	const value = new asn1.AttributeValue({ utf8String: name });
	const attribute = new asn1.AttributeTypeAndValue({ type: commonName, value });
	return new asn1.Name([new asn1.RelativeDistinguishedName([attribute])]);
}

function extension(
	extnID: string,
	value: object,
	critical = false,
): asn1.Extension {
	const extnValue = new OctetString(AsnConvert.serialize(value));
	return new asn1.Extension({ extnID, critical, extnValue });
}

/** A copy that owns its memory: the library keeps the whole buffer behind a view. */
function binary(bytes: Uint8Array): ArrayBuffer {
	return new Uint8Array(bytes).buffer as ArrayBuffer;
}
