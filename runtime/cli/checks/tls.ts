/** Check of the certificate that HTTPS uses. */
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
		const { certificate } = found;
		const says = `valid to ${new Date(certificate.validTo).toISOString().slice(0, 10)}, SHA-256 ${certificate.fingerprint256}`;
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
