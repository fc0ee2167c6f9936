/** Check of the certificate that HTTPS uses. */
import type { X509Certificate } from "node:crypto";
import type { Config } from "../../config/schema.js";
import { CertificateError, Certificates } from "../../tls/certificates.js";
import { systemFault } from "../system-fault.js";
import { broken, type Finding, ok, warning } from "./finding.js";

const soonMs = 14 * 86_400_000;

/** @returns nothing where HTTPS is off. */
export async function checkTls(
	{ tls, state }: Pick<Config, "tls" | "state">,
	nowMs = Date.now(),
): Promise<Finding[]> {
	const about = "HTTPS";
	if (tls.port === 0) return [];
	try {
		const found = await new Certificates(tls, state.dir).current();
		if (!found)
			return [ok(about, "the server makes its certificate at its next start")];
		const { certificate, authority } = found;
		if (authority && !isValidAt(authority, nowMs))
			return [
				broken(
					about,
					`the device's authority is valid from ${dayOf(authority.validFrom)} to ${dayOf(authority.validTo)}: clients refuse it now`,
					"check the clock (timedatectl), then: earshot tls renew --authority; clients have to trust the new one",
				),
			];
		const says = `valid to ${dayOf(certificate.validTo)}, SHA-256 ${certificate.fingerprint256}`;
		const leftMs = Date.parse(certificate.validTo) - nowMs;
		if (leftMs > soonMs && Date.parse(certificate.validFrom) <= nowMs)
			return [ok(about, says)];
		const todo =
			tls.cert_file === ""
				? "check the clock (timedatectl), then: earshot tls renew"
				: `renew ${tls.cert_file}, then reload the configuration (systemctl reload earshot)`;
		return [(leftMs > 0 ? warning : broken)(about, says, todo)];
	} catch (error) {
		const fault = systemFault(error);
		if (fault?.todo) return [warning(about, fault.message, fault.todo)];
		if (!(error instanceof CertificateError)) throw error;
		return [
			broken(about, error.message, "correct tls.cert_file and tls.key_file"),
		];
	}
}

function isValidAt(
	{ validFrom, validTo }: Pick<X509Certificate, "validFrom" | "validTo">,
	ms: number,
): boolean {
	return Date.parse(validFrom) <= ms && ms < Date.parse(validTo);
}

/** @param time as a certificate has it. */
function dayOf(time: string): string {
	return new Date(time).toISOString().slice(0, 10);
}
