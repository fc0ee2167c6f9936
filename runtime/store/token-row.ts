/** What is kept of an access token: whose it is, what it may do, and until when. */
import { randomBytes } from "node:crypto";
import { type Owner, ownerOf } from "../owner.js";
import type { Moment } from "./clock-state.js";

export const scopes = ["asr", "hotwords", "files", "status", "admin"] as const;
export type Scope = (typeof scopes)[number];

export interface TokenRow {
	/** Short and public: for lists and `token revoke`. */
	readonly id: string;
	/** The application's name for its tokens. */
	readonly name: string;
	readonly scopes: readonly Scope[];
	/** Unix times in seconds; the fraction keeps their order. */
	readonly createdSeconds: number;
	/** `createdSeconds` by the operating clock (`runtime/clock`), which is used for ages; rows of older versions have none. */
	readonly createdOperatingSeconds?: number;
	readonly expiresSeconds: number;
	readonly revokedSeconds: number | null;
	/** The application that requested it, or null for the command line. */
	readonly appId: string | null;
	/** Of a session of the console: the key of the token that it was made from. */
	readonly sessionOf?: string;
	/** Of a session: the id of that token; sessions of older versions have none. */
	readonly parentId?: string;
}

/** The owner of what a token creates: for a token of an application, that application. */
export function tokenOwner({ appId, name }: TokenRow): Owner {
	return ownerOf(appId === null ? "token" : "app", name);
}

/** Unix time; or, where clocks may have been wrong, a function of a row's moment. */
export type Now = number | ((made: Moment) => number);

/** @returns Unix time. */
export function nowFor(row: TokenRow, now: Now): number {
	if (typeof now === "number") return now;
	const { createdSeconds: seconds, createdOperatingSeconds } = row;
	return now({ seconds, operatingSeconds: createdOperatingSeconds });
}

/** For people. */
export function tokenState(
	row: TokenRow,
	now: Now,
): "revoked" | "valid" | "expired" {
	if (row.revokedSeconds !== null) return "revoked";
	return nowFor(row, now) < row.expiresSeconds ? "valid" : "expired";
}

export interface NewToken {
	readonly name: string;
	readonly scopes: readonly Scope[];
	readonly nowSeconds: number;
	readonly ttlSeconds: number;
	readonly operatingSeconds?: number | undefined;
	/** Absent or null: no application's. */
	readonly appId?: string | null;
}

export function newTokenRow({
	name,
	scopes,
	nowSeconds,
	operatingSeconds,
	ttlSeconds,
	appId,
}: NewToken): TokenRow {
	return {
		id: randomBytes(6).toString("hex"),
		name,
		scopes,
		createdSeconds: nowSeconds,
		...(operatingSeconds !== undefined && {
			createdOperatingSeconds: operatingSeconds,
		}),
		expiresSeconds: nowSeconds + ttlSeconds,
		revokedSeconds: null,
		appId: appId ?? null,
	};
}
