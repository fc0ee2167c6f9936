/**
 * Short-lived tokens for browsers: a server that holds a token asks for one and hands it to a page, which opens its Realtime session with it. They are kept in
 * memory only: a restart ends them, and so does the end of the token that asked.
 */
import { randomBytes } from "node:crypto";
import type { Owner } from "../../../owner.js";
import { tokenHash } from "../../../store/token-hash.js";
import { CallerShares } from "../../caller-shares.js";
import type { Principal } from "../../exchange.js";
import type { RealtimeSettings } from "./settings.js";

const prefix = "ek_";
const limits = { places: 1000, callerShareMax: 0.5, networkShareMax: 1 };
/** Looking at a token reads the store: those of all secrets are looked at no more often. */
const lookMsMin = 1000;

interface Secret {
	readonly principal: Principal;
	readonly settings: RealtimeSettings;
	/** By a monotonic clock. */
	readonly endMs: number;
	readonly leave: () => void;
}

export interface SecretRequest {
	readonly principal: Principal;
	/** The caller whose share of the secrets it takes. */
	readonly sharer: Owner;
	readonly remoteAddress: string;
	readonly seconds: number;
	/** A session that is opened with it begins with these. */
	readonly settings: RealtimeSettings;
}

export class ClientSecrets {
	/** By SHA-256. */
	readonly #secrets = new Map<string, Secret>();
	readonly #places = new CallerShares("client secrets", limits);
	readonly #nowMs: () => number;
	/** By the same clock. */
	#nextLookMs = Number.NEGATIVE_INFINITY;

	/** @param nowMs milliseconds of any monotonic clock */
	constructor(nowMs: () => number = () => performance.now()) {
		this.#nowMs = nowMs;
	}

	/** @returns the token, which is kept nowhere. @throws CodedError 100004 where there are too many */
	issue({
		principal,
		sharer,
		remoteAddress,
		seconds,
		settings,
	}: SecretRequest): string {
		this.#removeEnded();
		if (!this.#places.mayTake(sharer, remoteAddress)) this.#removeRevoked();
		const leave = this.#places.take(sharer, remoteAddress);
		const token = prefix + randomBytes(32).toString("base64url");
		this.#secrets.set(tokenHash(token), {
			principal: {
				...principal,
				may: (scope) => scope === "asr" && principal.may(scope),
			},
			settings,
			endMs: this.#nowMs() + seconds * 1000,
			leave,
		});
		return token;
	}

	/** @returns undefined where it is unknown or has ended, or the token that it was made with has. */
	find(token: string): Pick<Secret, "principal" | "settings"> | undefined {
		if (!isSecret(token)) return undefined;
		const hash = tokenHash(token);
		const secret = this.#secrets.get(hash);
		if (!secret) return undefined;
		if (this.#nowMs() < secret.endMs && isInForce(secret)) return secret;
		this.#remove(hash, secret);
		return undefined;
	}

	#removeEnded(): void {
		const nowMs = this.#nowMs();
		for (const [hash, secret] of this.#secrets)
			if (nowMs >= secret.endMs) this.#remove(hash, secret);
	}

	/** Only where there is no place left: until then they are in nobody's way. */
	#removeRevoked(): void {
		const nowMs = this.#nowMs();
		if (nowMs < this.#nextLookMs) return;
		this.#nextLookMs = nowMs + lookMsMin;
		for (const [hash, secret] of this.#secrets)
			if (!isInForce(secret)) this.#remove(hash, secret);
	}

	#remove(hash: string, { leave }: Secret): void {
		this.#secrets.delete(hash);
		leave();
	}
}

/** Whether the token that it was made with is. */
function isInForce({ principal }: Secret): boolean {
	return principal.isInForce?.() ?? true;
}

/** Such a token makes no others: it could live for ever. */
export function isSecret(token: string): boolean {
	return token.startsWith(prefix);
}
