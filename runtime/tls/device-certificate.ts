/**
 * The device's own certificate authority and the server certificate that it signs, kept in `tls/` of the state folder: each file holds a key and its
 * certificates, so that one rename replaces both. A client that trusts the authority trusts every later certificate of the device, so it outlives a start
 * with a clock from 1970, which a device without a battery has until it reaches a time server.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtAt } from "../config/own-program.js";
import { giveToFolderOwner } from "../disk/folder-owner.js";
import { writeSecret } from "../disk/secret-file.js";
import {
	type Machine,
	namesOf,
	permittedFor,
	thisMachine,
} from "./device-names.js";
import type { CertifiedNames, Identity } from "./x509.js";

const dayMs = 86_400_000;
const authorityDays = 3653;
/** The most that clients accept is 398 (CA/Browser Forum, Baseline Requirements 6.3.2). */
const serverDays = 397;
const renewedDaysBefore = 30;
/** Clocks of clients may be slow. */
const backdatedDays = 1;

export interface DeviceCertificateOptions {
	/** The state folder. */
	readonly folder: string;
	/** Names and addresses besides the machine's own: `tls.names`. */
	readonly names: readonly string[];
	readonly machine?: () => Machine;
	readonly nowMs?: () => number;
	/** When the program was built: an earlier clock is wrong. */
	readonly builtMs?: number;
	/** The clock is known to be right; default: yes. An authority is not replaced by the word of another one. */
	readonly isClockSure?: () => boolean;
}

/** The certificate in use. */
export interface ServerCertificate {
	/** PEM file: private key, certificate, certificate of the authority. */
	readonly file: string;
	readonly certificate: X509Certificate;
	readonly authority: X509Certificate;
}

/** @throws NodeJS.ErrnoException */
export class DeviceCertificate {
	readonly #options: DeviceCertificateOptions;

	constructor(options: DeviceCertificateOptions) {
		this.#options = options;
	}

	/** @returns the certificate on the disk, whether still good or not; undefined if there is none. */
	async current(): Promise<ServerCertificate | undefined> {
		const authority = await stored(this.#file("authority"));
		const server = await stored(this.#file("server"));
		if (!authority || !server) return undefined;
		return {
			file: this.#file("server"),
			certificate: server.certificate,
			authority: authority.certificate,
		};
	}

	/** @returns the certificate to use now. What is missing, expires soon, or names other addresses than the device has is made anew. */
	async upToDate(): Promise<ServerCertificate> {
		const found = await this.current();
		const isGood =
			found &&
			this.#signs(found.authority) &&
			(await this.#isGood(found.certificate, found.authority));
		return isGood ? found : this.renew();
	}

	/** Makes a new server certificate. @param withAuthority a new authority too, that clients have to trust anew */
	async renew(withAuthority = false): Promise<ServerCertificate> {
		const kept = withAuthority
			? undefined
			: await stored(this.#file("authority"));
		const authority =
			kept && this.#signs(kept.certificate) ? kept : await this.#newAuthority();
		const { makeServer } = await import("./x509.js"); // a quarter of a second to load, for once a year
		const { namesPermittedBy } = await import("./name-constraints.js");
		const names = namesPermittedBy(authority.certificate.raw, this.#names());
		const signer = {
			key: authority.key,
			certificate: authority.certificate.raw,
		};
		const made = makeServer({
			name: names.dns[0] ?? "earshot",
			names,
			authority: signer,
			validity: this.#validity(serverDays),
		});
		const server = new X509Certificate(made.certificate);
		await this.#write("server", made, [server, authority.certificate]);
		return {
			file: this.#file("server"),
			certificate: server,
			authority: authority.certificate,
		};
	}

	/** Is valid, not for the last time, and names all that this authority may name of the device. */
	async #isGood(
		certificate: X509Certificate,
		authority: X509Certificate,
	): Promise<boolean> {
		const isSound =
			this.#staysValid(certificate) && certificate.verify(authority.publicKey);
		if (!isSound) return false;
		const missing = namesBeyond(certificate, this.#names());
		if (isEmpty(missing)) return true;
		const { namesPermittedBy } = await import("./name-constraints.js");
		return isEmpty(namesPermittedBy(authority.raw, missing));
	}

	async #newAuthority(): Promise<Stored> {
		const { makeAuthority } = await import("./x509.js");
		const machine = this.#machine();
		const made = makeAuthority({
			name: `earshot on ${machine.hostName}`,
			validity: this.#validity(authorityDays),
			permitted: permittedFor(machine, this.#options.names),
		});
		const certificate = new X509Certificate(made.certificate);
		await this.#write("authority", made, [certificate]);
		return { key: made.key, certificate };
	}

	async #write(
		name: FileName,
		{ key }: Identity,
		certificates: readonly X509Certificate[],
	): Promise<void> {
		const folder = join(this.#options.folder, "tls");
		if (await mkdir(folder, { recursive: true, mode: 0o700 }))
			giveToFolderOwner(folder);
		const pem = [
			key.export({ type: "pkcs8", format: "pem" }),
			...certificates.map(String),
		].join("");
		writeSecret(this.#file(name), pem);
	}

	#names(): CertifiedNames {
		return namesOf(this.#machine(), this.#options.names);
	}

	#machine(): Machine {
		return (this.#options.machine ?? thisMachine)();
	}

	/** May sign certificates. A clock that is not sure says nothing about it: neither that it has not begun to be valid, nor that it has expired. */
	#signs(authority: X509Certificate): boolean {
		const { isClockSure = () => true } = this.#options;
		return !isClockSure() || this.#staysValid(authority);
	}

	/** Now, and until it would be renewed. */
	#staysValid(certificate: X509Certificate): boolean {
		const nowMs = this.#nowMs();
		return (
			this.#isValidAt(certificate, nowMs) &&
			this.#isValidAt(certificate, nowMs + renewedDaysBefore * dayMs)
		);
	}

	/** A clock that is wrong does not say when a certificate begins to be valid. */
	#isValidAt({ validFrom, validTo }: X509Certificate, ms: number): boolean {
		const hasBegun = this.#isClockWrong || Date.parse(validFrom) <= ms;
		return hasBegun && ms < Date.parse(validTo);
	}

	get #isClockWrong(): boolean {
		return this.#clockMs() < this.#builtMs;
	}

	/** Not before the program was built. */
	#nowMs(): number {
		return Math.max(this.#clockMs(), this.#builtMs);
	}

	#clockMs(): number {
		return (this.#options.nowMs ?? Date.now)();
	}

	get #builtMs(): number {
		return this.#options.builtMs ?? builtAt().getTime();
	}

	#validity(days: number) {
		const nowMs = this.#nowMs();
		return {
			from: wholeSecond(nowMs - backdatedDays * dayMs),
			until: wholeSecond(nowMs + days * dayMs - backdatedDays * dayMs),
		};
	}

	#file(name: FileName): string {
		return join(this.#options.folder, "tls", `${name}.pem`);
	}
}

type FileName = "authority" | "server";

interface Stored {
	readonly key: KeyObject;
	readonly certificate: X509Certificate;
}

/** @returns undefined if there is no such file, or nothing usable in it. @throws NodeJS.ErrnoException if it can't be read: what is there stays. */
async function stored(file: string): Promise<Stored | undefined> {
	const pem = await readFile(file).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== "ENOENT") throw error;
	});
	if (!pem) return undefined;
	try {
		const certificate = new X509Certificate(pem);
		const key = createPrivateKey(pem);
		return certificate.checkPrivateKey(key) ? { key, certificate } : undefined;
	} catch {
		return undefined;
	}
}

/** The names that a certificate lacks. Further names in it do no harm: an address that went away may come back. */
function namesBeyond(
	certificate: X509Certificate,
	{ dns, addresses }: CertifiedNames,
): CertifiedNames {
	return {
		dns: dns.filter((it) => !certificate.checkHost(it)),
		addresses: addresses.filter((it) => !certificate.checkIP(it)),
	};
}

function isEmpty({ dns, addresses }: CertifiedNames): boolean {
	return dns.length === 0 && addresses.length === 0;
}

function wholeSecond(ms: number): Date {
	return new Date(Math.floor(ms / 1000) * 1000);
}
