/** `earshot tls show|renew`: the certificate that HTTPS uses. A running server uses a renewed one within a minute, and disconnects nobody. */
import type { X509Certificate } from "node:crypto";
import type { Command } from "commander";
import type { Config } from "../config/schema.js";
import {
	CertificateError,
	Certificates,
	type UsableCertificate,
} from "../tls/certificates.js";
import { plainAddress, reachableHost } from "../tls/device-names.js";
import { action, configFor, print, UsageError, verb } from "./verb.js";

export function tlsCommand(): Command {
	const tls = verb("tls", "show and renew the certificate of HTTPS");
	tls
		.command("show")
		.description("names, validity and fingerprints, and how clients trust it")
		.option("--json", "as JSON")
		.action(action(show));
	tls
		.command("renew")
		.description("make a new certificate of the device's own")
		.option(
			"--authority",
			"a new authority too: every client has to trust it anew",
		)
		.action(action(renew));
	return tls;
}

async function show(
	options: { json?: boolean },
	command: Command,
): Promise<void> {
	const config = configFor(command).values;
	const found = await forPeople(() => certificatesOf(config).current());
	if (!found)
		throw new UsageError(
			"no certificate yet: the server makes one when it starts, unless tls.port is 0, or make it now: earshot tls renew",
		);
	print(
		options.json
			? JSON.stringify(detailsOf(found), null, 2)
			: shown(found, config),
	);
}

async function renew(
	options: { authority?: boolean },
	command: Command,
): Promise<void> {
	const config = configFor(command).values;
	const certificates = certificatesOf(config);
	const made = await forPeople(() =>
		certificates.renew(options.authority === true),
	);
	print(shown(made, config));
}

/** Whoever types a command knows no better than its clock: only `--authority` replaces the authority. */
function certificatesOf({ tls, state }: Config): Certificates {
	return new Certificates(tls, state.dir, () => false);
}

async function forPeople<T>(act: () => Promise<T>): Promise<T> {
	try {
		return await act();
	} catch (error) {
		if (error instanceof CertificateError) throw new UsageError(error.message);
		throw error;
	}
}

function detailsOf({ files, certificate, authority }: UsableCertificate) {
	return {
		file: files.certificate,
		names: namesIn(certificate),
		valid_from: isoTime(certificate.validFrom),
		valid_to: isoTime(certificate.validTo),
		fingerprint_sha256: certificate.fingerprint256,
		...(authority && {
			authority: {
				subject: authority.subject.replace(/^CN=/, ""),
				valid_to: isoTime(authority.validTo),
				fingerprint_sha256: authority.fingerprint256,
			},
		}),
	};
}

function shown(found: UsableCertificate, { server, tls }: Config): string {
	const { certificate, authority } = found;
	const lines = [
		`certificate  ${found.files.certificate}`,
		`names        ${namesIn(certificate).join(", ")}`,
		`valid        ${isoTime(certificate.validFrom)} to ${isoTime(certificate.validTo)}`,
		`SHA-256      ${certificate.fingerprint256}`,
	];
	if (authority)
		lines.push(
			`authority    ${authority.subject.replace(/^CN=/, "")}, valid to ${isoTime(authority.validTo)}`,
			`SHA-256      ${authority.fingerprint256}`,
			`to trust it  http://${reachableHost(tls.names)}:${server.port}/ca.crt (iOS: /ca.mobileconfig)`,
		);
	if (tls.port === 0) lines.push("HTTPS is off: tls.port is 0");
	return lines.join("\n");
}

const addressIn = "IP Address:";

/** Addresses of IPv6 in their usual form, not the long one of OpenSSL. */
function namesIn({ subjectAltName = "" }: X509Certificate): string[] {
	return subjectAltName
		.split(", ")
		.map((it) =>
			it.startsWith(addressIn)
				? plainAddress(it.slice(addressIn.length))
				: it.replace(/^DNS:/, ""),
		);
}

function isoTime(text: string): string {
	return new Date(text).toISOString().replace(/\.000Z$/, "Z");
}
