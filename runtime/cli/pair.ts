/** `earshot pair`: a code with which a browser signs in to the console, on the terminal of the device; as a QR code too, for a telephone. */
import type { Command } from "commander";
import encodeQR from "qr";
import {
	codeSeconds,
	makePairing,
	type PairingRequest,
} from "../appliance/pairing.js";
import type { Config } from "../config/schema.js";
import { type Scope, scopes } from "../store/token-row.js";
import { CertificateError, Certificates } from "../tls/certificates.js";
import { parseScopes } from "./scopes.js";
import { checkName, withStore } from "./store-visit.js";
import { action, configFor, print, UsageError, verb } from "./verb.js";

/** Of whoever can type on the device: they could make any token anyway. */
const usualScopes: readonly Scope[] = ["admin"];

interface PairOptions {
	readonly scope?: string;
	readonly name: string;
}

export function pairCommand(): Command {
	return verb("pair", "show a code that signs a browser in to the console")
		.option(
			"--scope <scopes>",
			`what the browser may do, any of ${scopes.join(",")} (default: admin, everything)`,
		)
		.option("--name <name>", "who will use it", "console")
		.action(action(pair));
}

async function pair(options: PairOptions, command: Command): Promise<void> {
	const name = checkName(options.name);
	const wanted =
		options.scope === undefined ? usualScopes : parseScopes(options.scope);
	const { values } = configFor(command);
	if (!values.console.enabled)
		throw new UsageError("the console is off: set console.enabled");
	await withStore(values.state.dir, async ({ pairings }, _, clock) => {
		print(
			await pairingText({
				pairings,
				name,
				clock,
				config: values,
				scopes: wanted,
				certificateSha256: await fingerprintOf(values),
				columns: process.stdout.isTTY ? process.stdout.columns : 0,
			}),
		);
	});
}

export type PairingText = Omit<PairingRequest, "scopes"> & {
	/** Absent: everything. */
	readonly scopes?: readonly Scope[];
	/** Of the terminal; a narrow one, or none, gets no QR code. */
	readonly columns: number;
};

/** Makes a code. @returns what to do with it. */
export async function pairingText(request: PairingText): Promise<string> {
	const { columns, scopes = usualScopes } = request;
	const { address, code, link, certificateSha256 } = await makePairing({
		...request,
		scopes,
	});
	// a screen does not wear off: least redundancy, and it fits on more of them
	const qr = encodeQR(link, "ascii", { border: 1, ecc: "low" }).trimEnd();
	const fits = qr.split("\n").every((line) => line.length <= columns);
	return `open the console and type this code, within ${codeSeconds / 60} minutes:

    ${address}
    ${code}
${certificateSha256 && fingerprintText(certificateSha256)}${fits ? `\n${qr}\n` : ""}`;
}

/** Compared with what a browser shows of the certificate that it warns of, it tells this device from another in between. */
function fingerprintText(sha256: string): string {
	const half = (sha256.length + 1) / 2;
	return `
its certificate has this SHA-256 fingerprint:

    ${sha256.slice(0, half)}
    ${sha256.slice(half)}
`;
}

/** Of the certificate that a server on this state uses; a code is of use without it. */
async function fingerprintOf({
	tls,
	state,
}: Config): Promise<string | undefined> {
	try {
		const found = await new Certificates(tls, state.dir).current();
		return found?.certificate.fingerprint256;
	} catch (error) {
		if (error instanceof CertificateError) return undefined;
		throw error;
	}
}
