/** HTTPS with a certificate that stays valid: what is due for renewal, was renewed by the command line, or replaced by the operator is used within a minute. */
import type { X509Certificate } from "node:crypto";
import type { Api } from "../api/api.js";
import type { Config } from "../config/schema.js";
import type { HttpsState } from "../fleet/appliance-port.js";
import type { Logger } from "../log/log.js";
import { Certificates, type UsableCertificate } from "../tls/certificates.js";

const checkEveryMs = 60_000;

export interface HttpsParts {
	readonly config: Pick<Config, "tls" | "state">;
	readonly api: Pick<Api, "useCertificate">;
	readonly log: Logger;
	/** Default: yes. */
	readonly isClockSure?: () => boolean;
	/** Shorter in tests. */
	readonly everyMs?: number;
}

export class Https {
	readonly #parts: HttpsParts;
	readonly #certificates: Certificates;
	#inUse: UsableCertificate | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** Of the last check, as it was logged. */
	#trouble: string | undefined;
	/** One check at a time. */
	#check: Promise<void> = Promise.resolve();

	constructor(parts: HttpsParts) {
		this.#parts = parts;
		const { tls, state } = parts.config;
		this.#certificates = new Certificates(tls, state.dir, parts.isClockSure);
	}

	/** The device's own authority, for clients to trust; undefined with the operator's certificate. */
	get authority(): X509Certificate | undefined {
		return this.#inUse?.authority;
	}

	/** Undefined before `start`. */
	get state(): HttpsState | undefined {
		if (!this.#inUse) return undefined;
		const { certificate, authority } = this.#inUse;
		return {
			port: this.#parts.config.tls.port,
			certificateSha256: certificate.fingerprint256,
			...(authority && { authoritySha256: authority.fingerprint256 }),
			validToMs: Date.parse(certificate.validTo),
		};
	}

	/** Makes the certificate if there is none, and listens. @throws CertificateError, ServerError */
	async start(): Promise<void> {
		await this.#use(await this.#certificates.upToDate());
		this.#timer = setInterval(
			() => this.refresh(),
			this.#parts.everyMs ?? checkEveryMs,
		);
		this.#timer.unref();
	}

	/** Looks at the files again. A certificate that is of no use is logged, and the one in use stays. */
	refresh(): Promise<void> {
		this.#check = this.#check
			.then(() => this.#useIfNew())
			.then(
				() => {
					this.#trouble = undefined;
				},
				(error: unknown) => this.#logOnce(error),
			);
		return this.#check;
	}

	async stop(): Promise<void> {
		clearInterval(this.#timer);
		await this.#check;
	}

	/** It is looked at every minute: one reason once. */
	#logOnce(error: unknown): void {
		const trouble = error instanceof Error ? error.message : String(error);
		if (trouble !== this.#trouble)
			this.#parts.log.error({ err: error }, "certificate not replaced");
		this.#trouble = trouble;
	}

	async #useIfNew(): Promise<void> {
		const wanted = await this.#certificates.upToDate();
		if (wanted.revision !== this.#inUse?.revision) await this.#use(wanted);
	}

	async #use(wanted: UsableCertificate): Promise<void> {
		const { api, log } = this.#parts;
		const port = await api.useCertificate(wanted.files);
		this.#inUse = wanted;
		const { fingerprint256, validTo } = wanted.certificate;
		log.info({ port, fingerprint256, validTo }, "serving HTTPS");
	}
}
