/** Which certificate HTTPS uses: the operator's (`tls.cert_file`), or the device's own. */
import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
	DeviceCertificate,
	type ServerCertificate,
} from "./device-certificate.js";

/** A certificate that is of no use, in one sentence that says what to do. */
export class CertificateError extends Error {
	override readonly name = "CertificateError";
}

export interface TlsSettings {
	readonly names: readonly string[];
	readonly cert_file: string;
	readonly key_file: string;
}

/** A certificate on the disk. */
export interface UsableCertificate {
	/** PEM files; both may be the same. */
	readonly files: { readonly key: string; readonly certificate: string };
	readonly certificate: X509Certificate;
	/** The device's own authority; absent with the operator's certificate. */
	readonly authority?: X509Certificate;
	/** Differs when the files hold something else, be it only the certificates that signed this one. */
	readonly revision: string;
}

export class Certificates {
	readonly #settings: TlsSettings;
	readonly #own: DeviceCertificate;

	/** @param stateFolder where the device's own certificate is kept. @param isClockSure see `DeviceCertificateOptions` */
	constructor(
		settings: TlsSettings,
		stateFolder: string,
		isClockSure = () => true,
	) {
		this.#settings = settings;
		const { names } = settings;
		this.#own = new DeviceCertificate({
			folder: stateFolder,
			names,
			isClockSure,
		});
	}

	/** @returns undefined if the device has not made its own yet. @throws CertificateError */
	async current(): Promise<UsableCertificate | undefined> {
		if (this.#settings.cert_file !== "") return this.#operators();
		const own = await this.#own.current();
		return own && usable(own);
	}

	/** The certificate to use now; the device's own is made or renewed where that is due. @throws CertificateError, NodeJS.ErrnoException */
	async upToDate(): Promise<UsableCertificate> {
		if (this.#settings.cert_file !== "") return this.#operators();
		return usable(await this.#own.upToDate());
	}

	/** @throws CertificateError where the operator's is configured */
	async renew(withAuthority: boolean): Promise<UsableCertificate> {
		if (this.#settings.cert_file !== "")
			throw new CertificateError(
				`the certificate in use is yours (tls.cert_file, ${this.#settings.cert_file}): renew it there, then reload the configuration`,
			);
		return usable(await this.#own.renew(withAuthority));
	}

	async #operators(): Promise<UsableCertificate> {
		const { cert_file: certificateFile } = this.#settings;
		const keyFile = this.#settings.key_file || certificateFile;
		const certificatePem = await contents("tls.cert_file", certificateFile);
		const certificate = parsed(
			"tls.cert_file",
			certificateFile,
			() => new X509Certificate(certificatePem),
		);
		const keyPem = await contents("tls.key_file", keyFile);
		if (encryptedKey.test(keyPem.toString("latin1")))
			throw new CertificateError(
				`tls.key_file: the key in ${keyFile} has a passphrase, which nobody can type here: write it without one (openssl pkey -in ${keyFile} -out ANOTHER)`,
			);
		const key = parsed("tls.key_file", keyFile, () => createPrivateKey(keyPem));
		if (!certificate.checkPrivateKey(key))
			throw new CertificateError(
				`tls.key_file: the key in ${keyFile} is not that of the certificate in ${certificateFile}`,
			);
		return {
			files: { key: keyFile, certificate: certificateFile },
			certificate,
			revision: createHash("sha256")
				.update(certificatePem)
				.update(keyPem)
				.digest("hex"),
		};
	}
}

/** RFC 7468, section 11; and what OpenSSL wrote before (RFC 1421, section 4.6.1.1). */
const encryptedKey =
	/^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

async function contents(setting: string, file: string): Promise<Buffer> {
	try {
		return await readFile(file);
	} catch (cause) {
		const { message } = cause as Error;
		throw new CertificateError(`${setting}: can't read ${file}: ${message}`, {
			cause,
		});
	}
}

function parsed<T>(setting: string, file: string, parse: () => T): T {
	try {
		return parse();
	} catch (cause) {
		throw new CertificateError(
			`${setting}: ${file} holds none in PEM (it begins with -----BEGIN)`,
			{ cause },
		);
	}
}

/** Key and certificate of the device's own are in one file. */
function usable({
	file,
	certificate,
	authority,
}: ServerCertificate): UsableCertificate {
	return {
		files: { key: file, certificate: file },
		certificate,
		authority,
		revision: certificate.fingerprint256, // each one that the device makes has another
	};
}
