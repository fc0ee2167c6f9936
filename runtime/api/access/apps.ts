/** `GET, POST /v1/apps`, `DELETE /v1/apps/{app}`: as `earshot app` on the command line. */
import { type Static, Type } from "@sinclair/typebox";
import type { Clock } from "../../clock/clock.js";
import { CodedError } from "../../errors.js";
import { parseJson } from "../../json/validate.js";
import type { AppRepository } from "../../store/apps.js";
import type { TokenRepository } from "../../store/tokens.js";
import { success } from "../envelope.js";
import { readJson, smallBodyBytesMax } from "../json-body.js";
import type { Route } from "../router.js";
import { nameSchema } from "./tokens.js";

export interface AppRouteParts {
	readonly apps: Pick<AppRepository, "list" | "create" | "revoke" | "find">;
	readonly tokens: Pick<TokenRepository, "noteRevokedApp">;
	readonly clock: Pick<Clock, "expirySeconds">;
}

const body = Type.Object({ name: nameSchema });

const shownApp = Type.Object({
	app_id: Type.String(),
	name: Type.String(),
	state: Type.Unsafe<"valid" | "revoked">(
		Type.String({ description: "valid, revoked" }),
	),
	created: Type.Integer({ description: "Unix time, seconds" }),
});
export type ShownApp = Static<typeof shownApp>;

export function appRoutes(parts: AppRouteParts): readonly Route[] {
	const { apps, tokens, clock } = parts;
	return [
		{
			method: "GET",
			path: "/v1/apps",
			access: "admin",
			description: {
				summary: "All applications, never their secrets",
				answer: Type.Array(shownApp),
				errors: [],
			},
			handle: async () =>
				success(
					apps.list().map(({ id, name, createdSeconds, revokedSeconds }) => ({
						app_id: id,
						name,
						state: revokedSeconds === null ? "valid" : "revoked",
						created: Math.floor(createdSeconds),
					})),
				),
		},
		{
			method: "POST",
			path: "/v1/apps",
			access: "admin",
			description: {
				summary:
					"Create an application; the answer is the only one that has its secret",
				body: { type: "application/json", schema: body },
				answer: Type.Object({ app_id: Type.String(), secret: Type.String() }),
				errors: ["200001", "200002", "200003", "200004"],
			},
			handle: async ({ request, log, principal }) => {
				const given = await readJson(request, smallBodyBytesMax);
				const { name } = parseJson(body, given).values;
				const app = await apps.create(name.trim(), clock.expirySeconds());
				log.info({ app: app.name, by: principal.id }, "application created");
				return success({ app_id: app.id, secret: app.secret });
			},
		},
		{
			method: "DELETE",
			path: "/v1/apps/:app",
			access: "admin",
			description: {
				summary: "Revoke an application and all its tokens, at once",
				answer: Type.Null(),
				errors: ["200002"],
			},
			handle: async ({ params, log, principal }) => {
				const id = params.app ?? "";
				const nowSeconds = clock.expirySeconds();
				if (apps.find(id)?.revokedSeconds !== null)
					throw new CodedError("200002", "no valid application has this id");
				await apps.revoke(id, nowSeconds);
				await tokens.noteRevokedApp(id, nowSeconds);
				log.info({ by: principal.id }, "application revoked");
				return success(null);
			},
		},
	];
}
