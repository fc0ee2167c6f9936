/**
 * `POST /platform/v1/auth/online/token`: an application proves that it knows its secret and gets an access token (docs/decisions.md section 9,
 * docs/interface.md section 10). The signature does not cover the nonce: this is a weakness of the protocol, and the reason why the timestamp's window is
 * short.
 *
 * At `auth.app_tokens_max` the next request is refused instead of revoking the oldest token: clients keep a token for six days and would be locked out with it
 * (docs/interface.md section 10: a new token revokes no older one), while a refused client gets the reason.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import type { Clock } from "../clock/clock.js";
import { CodedError } from "../errors.js";
import { parseJson } from "../json/validate.js";
import type { AppRepository, AppRow } from "../store/apps.js";
import type { NonceRepository } from "../store/nonces.js";
import type { TokenRepository } from "../store/tokens.js";
import type { Arrived } from "./auth.js";
import { success } from "./envelope.js";
import type { ApiResponse, RequestContext } from "./exchange.js";
import { readJson, smallBodyBytesMax } from "./json-body.js";
import type { RateLimiter } from "./rate-limit.js";
import type { Route } from "./router.js";

/** Tokens live for days: an earlier retry would find the limit still reached. */
const shareRetrySeconds = 600;

const requestSchema = Type.Object({
	app_id: Type.String({ minLength: 1 }),
	timestamp: Type.Integer({ description: "Unix time, seconds" }),
	signatureNonce: Type.String({ minLength: 1, maxLength: 1024 }),
	signature: Type.String({
		minLength: 1,
		description:
			"base64 of HMAC-SHA1, keyed with the secret, over app_id=<id>&secret=<secret>&timestamp=<ts>",
	}),
});

type TokenRequest = Static<typeof requestSchema>;

export interface PlatformTokenParts {
	readonly apps: Pick<AppRepository, "findValid">;
	readonly nonces: Pick<NonceRepository, "use">;
	readonly tokens: Pick<TokenRepository, "create" | "countOfApp">;
	readonly limiter: RateLimiter;
	/** The answer holds a token. @throws CodedError 110003 where others could read it */
	requirePrivacy(request: Arrived): void;
	/** This and the next two may change with a reload: read for each request. */
	readonly appTokensMax: () => number;
	readonly clockSkewSeconds: () => number;
	readonly tokenTtlSeconds: () => number;
	readonly clock: Pick<Clock, "expirySeconds" | "operatingSeconds">;
}

export function platformTokenRoute(parts: PlatformTokenParts): Route {
	return {
		method: "POST",
		path: "/platform/v1/auth/online/token",
		access: "open",
		description: {
			summary: "Exchange an application's signature for an access token",
			body: { type: "application/json", schema: requestSchema },
			answer: Type.Object({
				app_id: Type.String(),
				token: Type.String(),
				expireTime: Type.Integer({ description: "Unix time, seconds" }),
				expiration_time: Type.Integer({ description: "the same" }),
			}),
			errors: [
				"100005",
				"110002",
				"110003",
				"200001",
				"200002",
				"200003",
				"200004",
			],
		},
		handle: (context) => issue(context, parts),
	};
}

async function issue(
	{ request, log }: RequestContext,
	parts: PlatformTokenParts,
): Promise<ApiResponse> {
	parts.requirePrivacy(request);
	const body = await readJson(request, smallBodyBytesMax);
	const { values, unknown } = parseJson(requestSchema, body);
	if (unknown.length > 0) log.debug({ unknown }, "unknown keys ignored");
	const nowSeconds = Math.floor(parts.clock.expirySeconds());
	checkTime(values.timestamp, nowSeconds, parts.clockSkewSeconds());
	const app = provenApp(values, parts.apps);
	parts.limiter.take(`app ${app.id}`);
	checkShare(app, nowSeconds, parts);
	await spendNonce(app, values, parts);
	const { token, row } = await parts.tokens.create({
		name: app.name,
		scopes: ["asr", "hotwords", "files"],
		nowSeconds,
		operatingSeconds: parts.clock.operatingSeconds(),
		ttlSeconds: parts.tokenTtlSeconds(),
		appId: app.id,
	});
	if (!parts.apps.findValid(app.id)) throw wrongApp(); // revoked in the meantime, together with the token
	log.info({ app: app.name, token: row.id }, "token issued to an application");
	const expires = row.expiresSeconds;
	return success({
		app_id: app.id,
		token,
		expireTime: expires,
		expiration_time: expires,
	});
}

function checkTime(
	timestamp: number,
	nowSeconds: number,
	skewSeconds: number,
): void {
	if (Math.abs(timestamp - nowSeconds) <= skewSeconds) return;
	throw new CodedError(
		"200002",
		`timestamp must be within ${skewSeconds} seconds of the server's time ${nowSeconds} (${new Date(nowSeconds * 1000).toISOString()}), got ${timestamp}`,
	);
}

/** An unknown application and a wrong signature give the same message, in the same time. */
function provenApp(
	request: TokenRequest,
	apps: PlatformTokenParts["apps"],
): AppRow {
	const app = apps.findValid(request.app_id);
	const secret = app?.secret ?? "no such application";
	const expected = createHmac("sha1", secret)
		.update(
			`app_id=${request.app_id}&secret=${secret}&timestamp=${request.timestamp}`,
		)
		.digest();
	const given = Buffer.from(request.signature, "base64");
	const equal =
		given.length === expected.length && timingSafeEqual(given, expected);
	if (app && equal) return app;
	throw wrongApp();
}

function wrongApp(): CodedError {
	return new CodedError("110002", "app_id or signature is wrong");
}

/** Tokens that are being created are not counted: the rate limiter bounds them. */
function checkShare(
	{ id, name }: AppRow,
	nowSeconds: number,
	{ tokens, appTokensMax }: PlatformTokenParts,
): void {
	const countMax = appTokensMax();
	const count = tokens.countOfApp(id, nowSeconds);
	if (count < countMax) return;
	throw new CodedError(
		"100005",
		`the application ${name} has ${count} tokens in force, and auth.app_tokens_max is ${countMax}: use a token until it expires, or revoke some`,
		{ retryAfterSeconds: shareRetrySeconds },
	);
}

/** Checked after the signature, so that strangers can't use up a client's nonces. */
async function spendNonce(
	app: AppRow,
	request: TokenRequest,
	parts: PlatformTokenParts,
): Promise<void> {
	const expires = request.timestamp + parts.clockSkewSeconds();
	if (await parts.nonces.use(app.id, request.signatureNonce, expires)) return;
	throw new CodedError("110002", "signatureNonce was used before");
}
