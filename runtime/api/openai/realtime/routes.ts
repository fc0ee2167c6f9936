/** The HTTP side of the Realtime interface: tokens for browsers, and what a plain GET on the WebSocket's path is answered. */
import { type TSchema, Type } from "@sinclair/typebox";
import type { Clock } from "../../../clock/clock.js";
import { CodedError } from "../../../errors.js";
import { isJsonObject, type JsonObject } from "../../../json/json-object.js";
import { parseJson } from "../../../json/validate.js";
import { tokenOfRealtimeClient } from "../../credentials.js";
import { json } from "../../envelope.js";
import type { RequestContext } from "../../exchange.js";
import { readJsonIfAny } from "../../json-body.js";
import { sharerOf } from "../../network-of.js";
import type { Route } from "../../router.js";
import { upgradeRequired } from "../../upgrade-required.js";
import { openAiFailure } from "../error.js";
import { type ClientSecrets, isSecret } from "./client-secrets.js";
import { newId } from "./item.js";
import { type RealtimeEndpoint, realtimePath } from "./realtime-endpoint.js";
import { sessionObject } from "./session-object.js";
import {
	type Dialect,
	defaultSettings,
	realtimeRecognitionOf,
} from "./settings.js";
import { modelNamedIn, updatedSettings } from "./settings-update.js";

export interface RealtimeRouteParts {
	readonly endpoint: RealtimeEndpoint;
	readonly secrets: ClientSecrets;
	readonly clock: Pick<Clock, "expirySeconds">;
}

const bodyBytesMax = 64 * 1024;
const secondsDefault = 600;

const expiresAfter = Type.Optional(
	Type.Object({
		anchor: Type.Optional(Type.Literal("created_at")),
		seconds: Type.Optional(
			Type.Integer({ minimum: 10, maximum: 7200, default: secondsDefault }),
		),
	}),
);
const session = Type.Object({}, { additionalProperties: true });
const secret = Type.Object({
	value: Type.String(),
	expires_at: Type.Integer({ description: "Unix time, seconds" }),
});

const secretRequest = Type.Object({
	expires_after: expiresAfter,
	session: Type.Optional(session),
});
/** OpenAI's documentation has `expires_after`; its SDKs of that time send the same as `expires_at`. */
const betaRequest = Type.Object({
	client_secret: Type.Optional(
		Type.Object({ expires_after: expiresAfter, expires_at: expiresAfter }),
	),
});

const shared = {
	tokenOf: tokenOfRealtimeClient,
	dialect: openAiFailure,
	endpoint: "realtime",
} as const;

export function realtimeRoutes(parts: RealtimeRouteParts): readonly Route[] {
	return [
		upgradeRoute(parts.endpoint),
		{
			...tokenRoute(
				"/v1/realtime/client_secrets",
				"OpenAI: a short-lived token for a Realtime session",
				secretRequest,
				Type.Composite([secret, Type.Object({ session })]),
			),
			handle: async (context) => {
				const { values } = parseJson(secretRequest, await bodyOf(context));
				const { session = {}, expires_after } = values;
				const made = await issue(context, parts, session, "ga", expires_after);
				const { session: shown, ...secret } = made;
				return json(200, { ...secret, session: shown });
			},
		},
		{
			...tokenRoute(
				"/v1/realtime/transcription_sessions",
				"OpenAI, before the current version: the same",
				betaRequest,
				Type.Object({ id: Type.String(), client_secret: secret }),
			),
			handle: async (context) => {
				const body = await bodyOf(context);
				const { values } = parseJson(betaRequest, body);
				const { expires_at, expires_after = expires_at } =
					values.client_secret ?? {};
				const made = await issue(context, parts, body, "beta", expires_after);
				const { session, ...client_secret } = made;
				return json(200, { ...session, client_secret });
			},
		},
	];
}

function upgradeRoute(endpoint: RealtimeEndpoint): Route {
	return {
		...shared,
		method: "GET",
		path: realtimePath,
		access: "open", // the endpoint checks, as at an upgrade
		description: {
			summary: "OpenAI: WebSocket of a Realtime transcription session",
			query: Type.Object({
				intent: Type.Optional(Type.Literal("transcription")),
				model: Type.Optional(Type.String()),
			}),
			answer: Type.Null(),
			answerType: "application/json",
			errors: ["110001", "110002", "110003", "200002", "230001"],
		},
		handle: upgradeRequired(endpoint),
	};
}

function tokenRoute(
	path: string,
	summary: string,
	body: TSchema,
	answer: TSchema,
): Omit<Route, "handle"> {
	return {
		...shared,
		method: "POST",
		path,
		access: "asr",
		description: {
			summary,
			body: { type: "application/json", schema: body, optional: true },
			answer,
			answerType: "application/json",
			errors: ["100001", "100004", "200002", "200003", "200004", "200008"],
		},
	};
}

async function bodyOf({ request }: RequestContext): Promise<JsonObject> {
	const body = (await readJsonIfAny(request, bodyBytesMax)) ?? {};
	if (isJsonObject(body)) return body;
	throw new CodedError("200003", "body must be a JSON object");
}

/** @throws CodedError */
async function issue(
	{ request, principal, log }: RequestContext,
	{ endpoint, secrets, clock }: RealtimeRouteParts,
	session: Readonly<Record<string, unknown>>,
	dialect: Dialect,
	{ seconds = secondsDefault }: { readonly seconds?: number } = {},
) {
	if (isSecret(tokenOfRealtimeClient(request) ?? ""))
		throw new CodedError("110003", "a client secret makes no others");
	const settings = updatedSettings(defaultSettings, session, dialect);
	realtimeRecognitionOf(settings, endpoint.sources);
	const model = modelNamedIn(session, dialect);
	if (model !== undefined) await endpoint.checkModel(model);
	const value = secrets.issue({
		principal,
		seconds,
		settings,
		sharer: sharerOf(principal, request),
		remoteAddress: request.remoteAddress,
	});
	log.info({ token: principal.id, seconds }, "client secret issued");
	return {
		value,
		expires_at: Math.floor(clock.expirySeconds()) + seconds,
		session: sessionObject(settings, dialect, newId("sess")),
	};
}
