/** `GET, POST /v1/tokens`, `DELETE /v1/tokens/{token}`: as `earshot token` on the command line. */
import { type Static, Type } from "@sinclair/typebox";
import type { Clock } from "../../clock/clock.js";
import { CodedError } from "../../errors.js";
import { parseJson } from "../../json/validate.js";
import {
	type Scope,
	scopes,
	type TokenRow,
	tokenState,
} from "../../store/token-row.js";
import type { TokenRepository } from "../../store/tokens.js";
import { success, successInPieces } from "../envelope.js";
import { joined, jsonItems, type PieceMaker } from "../in-pieces.js";
import { readJson, smallBodyBytesMax } from "../json-body.js";
import type { Route } from "../router.js";
import type { LastUse } from "./last-use.js";

export interface TokenRouteParts {
	readonly tokens: Pick<TokenRepository, "all" | "create" | "revoke">;
	readonly clock: Pick<Clock, "expirySeconds" | "operatingSeconds">;
	readonly lastUse: Pick<LastUse, "of">;
	readonly pieces: PieceMaker;
	/** `auth.token_ttl_seconds` */
	readonly tokenTtlSeconds: () => number;
}

const daysMax = 36_500;
const idPattern = /^[0-9a-f]{12}$/;

export const nameSchema = Type.String({
	minLength: 1,
	maxLength: 100,
	pattern: "^[^\\p{Cc}]*\\S[^\\p{Cc}]*$",
	"x-expects": "1 to 100 characters without control characters",
});

const body = Type.Object({
	name: nameSchema,
	scopes: Type.Array(
		Type.Unsafe<Scope>({ type: "string", enum: [...scopes] }),
		{
			minItems: 1,
			uniqueItems: true,
			"x-expects": `a list of ${scopes.join(", ")}`,
		},
	),
	days: Type.Optional(
		Type.Number({
			minimum: 0.01,
			maximum: daysMax,
			description: "Its life; default: auth.token_ttl_seconds.",
		}),
	),
});

const shownToken = Type.Object({
	id: Type.String(),
	name: Type.String(),
	scopes: Type.Array(Type.String()),
	state: Type.Unsafe<ReturnType<typeof tokenState>>(
		Type.String({ description: "valid, expired, revoked" }),
	),
	created: Type.Integer({ description: "Unix time, seconds" }),
	expires: Type.Integer(),
	app_id: Type.Union([Type.String(), Type.Null()]),
	is_session: Type.Boolean({ description: "of a browser in the console" }),
	last_use: Type.Union([
		Type.Object({ time: Type.Integer(), endpoint: Type.String() }),
		Type.Null(),
	]),
});
export type ShownToken = Static<typeof shownToken>;

export function tokenRoutes(parts: TokenRouteParts): readonly Route[] {
	const { tokens, clock, lastUse } = parts;
	const shown = (row: TokenRow) => {
		const use = lastUse.of(row.id);
		return {
			id: row.id,
			name: row.name,
			scopes: row.scopes,
			state: tokenState(row, (made) => clock.expirySeconds(made)),
			created: Math.floor(row.createdSeconds),
			expires: Math.floor(row.expiresSeconds),
			app_id: row.appId,
			is_session: row.sessionOf !== undefined,
			last_use: use
				? { time: Math.floor(use.atSeconds), endpoint: use.endpoint }
				: null,
		};
	};
	return [
		{
			method: "GET",
			path: "/v1/tokens",
			access: "admin",
			description: {
				summary: "All tokens, newest first, never the secret itself",
				answer: Type.Array(shownToken),
				errors: [],
			},
			handle: async () => {
				const texts = jsonItems(await tokens.all(), shown);
				return successInPieces(
					joined("[", texts, () => "]"),
					parts.pieces,
				);
			},
		},
		{
			method: "POST",
			path: "/v1/tokens",
			access: "admin",
			description: {
				summary: "Create a token; the answer is the only one that has it",
				body: { type: "application/json", schema: body },
				answer: Type.Object({ id: Type.String(), token: Type.String() }),
				errors: ["200001", "200002", "200003", "200004"],
			},
			handle: async ({ request, log, principal }) => {
				const given = await readJson(request, smallBodyBytesMax);
				const { name, scopes: wanted, days } = parseJson(body, given).values;
				const { token, row } = await tokens.create({
					name: name.trim(),
					scopes: wanted,
					nowSeconds: clock.expirySeconds(),
					operatingSeconds: clock.operatingSeconds(),
					ttlSeconds:
						days === undefined ? parts.tokenTtlSeconds() : days * 86_400,
				});
				log.info({ token: row.id, by: principal.id }, "token created");
				return success({ id: row.id, token });
			},
		},
		{
			method: "DELETE",
			path: "/v1/tokens/:token",
			access: "admin",
			description: {
				summary: "Revoke a token, at once",
				answer: Type.Null(),
				errors: ["200002"],
			},
			handle: async ({ params, log, principal }) => {
				const id = params.token ?? "";
				const count = idPattern.test(id)
					? await tokens.revoke(id, clock.expirySeconds())
					: 0;
				if (count === 0)
					throw new CodedError("200002", "no valid token has this id");
				log.info({ token: id, by: principal.id }, "token revoked");
				return success(null);
			},
		},
	];
}
