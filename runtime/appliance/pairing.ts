/** A pairing code, and the address at which a browser takes it: for the terminal (`earshot pair`) and for a fleet manager alike. */
import type { ReadOnlyClock } from "../clock/read-only-clock.js";
import type { Config } from "../config/schema.js";
import type { Moment } from "../store/clock-state.js";
import type { PairingRepository } from "../store/pairings.js";
import type { Scope } from "../store/token-row.js";
import { reachableHost } from "../tls/device-names.js";

export const codeSeconds = 600;

export interface PairingRequest {
	readonly pairings: Pick<PairingRepository, "create">;
	/** Of the token that the code is exchanged for. */
	readonly name: string;
	readonly scopes: readonly Scope[];
	readonly clock: ReadOnlyClock;
	readonly config: Pick<Config, "server" | "tls">;
	/** That the server listens on, if it is known; default: the configured one. */
	readonly port?: number | undefined;
	/** Of the certificate that HTTPS uses, in hexadecimal with colons; undefined: not known, or off. */
	readonly certificateSha256?: string | undefined;
}

export interface Pairing {
	/** Of the console. */
	readonly address: string;
	/** `ABCD-EFGH` */
	readonly code: string;
	/** The address with the code, and with the certificate's fingerprint where the address is the device's own: for a QR code. */
	readonly link: string;
	/** As in the link; empty: none. */
	readonly certificateSha256: string;
	/** Unix time. */
	readonly expiresSeconds: number;
}

/** @throws StoreError */
export async function makePairing(request: PairingRequest): Promise<Pairing> {
	const { pairings, name, scopes, clock, config } = request;
	const nowSeconds = (made?: Moment) => clock.expirySeconds(made);
	const operatingSeconds = clock.operatingSeconds();
	const made = { seconds: nowSeconds(), operatingSeconds };
	const expiresSeconds = made.seconds + codeSeconds;
	const code = await pairings.create(
		{ name, scopes, expiresSeconds, made },
		nowSeconds,
	);
	const address = consoleAddress(config, request.port);
	// a fragment stays in the browser: no server and no log sees the code
	const fragment = `#pair=${code.replace("-", "")}`;
	// a proxy has a certificate of its own
	const isOwn = config.server.public_url === "" && config.tls.port > 0;
	const certificateSha256 = (isOwn && request.certificateSha256) || "";
	const shown = certificateSha256.replaceAll(":", "");
	const link = `${address}${fragment}${shown && `&sha256=${shown}`}`;
	return { address, code, link, certificateSha256, expiresSeconds };
}

function consoleAddress(
	{ server, tls }: Pick<Config, "server" | "tls">,
	port = server.port,
): string {
	if (server.public_url !== "")
		return `${server.public_url.replace(/\/$/, "")}/console/`;
	const isLocal = ["127.0.0.1", "localhost", "::1"].includes(server.host);
	const host = isLocal ? "localhost" : reachableHost(tls.names);
	return tls.port > 0
		? `https://${host}:${tls.port}/console/`
		: `http://${host}:${port}/console/`;
}
