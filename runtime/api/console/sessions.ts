/**
 * `POST, GET, DELETE /v1/console/session`: a browser's session. Its cookie takes the place of a token, which `<audio>`, downloads and WebSockets of a page can't
 * send.
 */
import { type Static, Type } from "@sinclair/typebox";
import type { Clock } from "../../clock/clock.js";
import { CodedError } from "../../errors.js";
import type { TokenRow } from "../../store/token-row.js";
import type { TokenRepository } from "../../store/tokens.js";
import type { Authenticator } from "../auth.js";
import { bearerToken, sessionCookieFor, sessionOf } from "../credentials.js";
import { success, withHeaders } from "../envelope.js";
import type { ApiRequest, ApiResponse } from "../exchange.js";
import type { Route } from "../router.js";

export type SessionClock = Pick<Clock, "expirySeconds" | "operatingSeconds">;

/** What the console shows of its device before anybody has signed in. */
export interface DeviceCard {
	readonly name: string;
	/** Somebody has gone through the first steps. */
	readonly isSetUp: boolean;
	readonly version: string;
	/** Of HTTPS; 0: off. */
	readonly httpsPort: number;
	readonly languages: readonly string[];
}

export interface ConsoleSessionParts {
	readonly tokens: Pick<
		TokenRepository,
		"createSession" | "endSession" | "findValid"
	>;
	readonly authenticator: Pick<Authenticator, "identify">;
	/** `auth.required` */
	readonly required: boolean;
	readonly device: () => DeviceCard;
	readonly clock: SessionClock;
}

const sessionSeconds = 12 * 3600;
const path = "/v1/console/session";

const answer = Type.Object({
	signed_in: Type.Boolean(),
	required: Type.Boolean({ description: "false: everybody may do everything" }),
	name: Type.String({ description: "of the token" }),
	scopes: Type.Array(Type.String()),
	expires: Type.Integer({ description: "Unix time, seconds" }),
	device: Type.Object({
		name: Type.String(),
		set_up: Type.Boolean({ description: "its first steps were taken" }),
		version: Type.String(),
		https_port: Type.Integer({ description: "0: off" }),
		languages: Type.Array(Type.String()),
	}),
});
export type ConsoleSession = Static<typeof answer>;

export function sessionRoutes(parts: ConsoleSessionParts): readonly Route[] {
	return [
		{
			method: "POST",
			path,
			access: "token",
			description: {
				summary: "Begin a session of the console, for a browser's cookie",
				answer,
				errors: ["110002"],
			},
			handle: ({ request }) => begin(request, parts),
		},
		{
			method: "GET",
			path,
			access: "open",
			description: {
				summary: "Whose session this is, and which device it is",
				answer,
				errors: [],
			},
			handle: async ({ request }) => success(described(request, parts)),
		},
		{
			method: "DELETE",
			path,
			access: "token",
			description: {
				summary: "End the session of this browser",
				answer: Type.Null(),
				errors: [],
			},
			handle: ({ request }) => end(request, parts),
		},
	];
}

async function begin(
	request: ApiRequest,
	parts: ConsoleSessionParts,
): Promise<ApiResponse> {
	const { tokens, clock } = parts;
	const token = bearerToken(request);
	if (token === undefined) return success(described(request, parts)); // nobody needs one here
	const session = await tokens.createSession(token, nowOf(clock), {
		nowSeconds: clock.expirySeconds(),
		operatingSeconds: clock.operatingSeconds(),
		ttlSeconds: sessionSeconds,
	});
	if (!session) throw new CodedError("110002");
	const data = shown(parts, session.row);
	return withHeaders(success(data), {
		"Set-Cookie": sessionCookieFor(request, session.token, sessionSeconds),
	});
}

async function end(
	request: ApiRequest,
	{ tokens }: ConsoleSessionParts,
): Promise<ApiResponse> {
	const session = sessionOf(request);
	if (session !== undefined) await tokens.endSession(session);
	return withHeaders(success(null), {
		"Set-Cookie": sessionCookieFor(request, "", 0),
	});
}

function described(request: ApiRequest, parts: ConsoleSessionParts) {
	const { tokens, clock, authenticator } = parts;
	if (request.signedIn)
		return shown(parts, { name: request.signedIn.name, scopes: ["admin"] });
	const session = sessionOf(request);
	const row = session ? tokens.findValid(session, nowOf(clock)) : undefined;
	if (!row) return shown(parts);
	try {
		authenticator.identify(request, "token"); // not for the page of another
		return shown(parts, row);
	} catch (thrown) {
		if (thrown instanceof CodedError) return shown(parts);
		throw thrown;
	}
}

type SignedIn = Pick<TokenRow, "name" | "scopes"> &
	Partial<Pick<TokenRow, "expiresSeconds">>;

function shown({ required, device }: ConsoleSessionParts, row?: SignedIn) {
	const { name, isSetUp, version, httpsPort, languages } = device();
	return {
		signed_in: row !== undefined,
		required,
		name: row?.name ?? "",
		scopes: row?.scopes ?? [],
		expires: Math.floor(row?.expiresSeconds ?? 0),
		device: {
			name,
			set_up: isSetUp,
			version,
			https_port: httpsPort,
			languages,
		},
	};
}

function nowOf(clock: SessionClock) {
	return (made: Parameters<SessionClock["expirySeconds"]>[0]) =>
		clock.expirySeconds(made);
}
