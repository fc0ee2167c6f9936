/** `GET /healthz`: 200 only if every part reports that it works, else 503 with the reasons. The composition root supplies the parts. */
import { type Static, Type } from "@sinclair/typebox";
import { CodedError } from "../errors.js";
import { failure, success } from "./envelope.js";
import type { Route } from "./router.js";

const checkSchema = Type.Object({
	name: Type.String(),
	ok: Type.Boolean(),
	says: Type.String({ description: "one sentence for people" }),
});

export type HealthCheck = Static<typeof checkSchema>;

export interface HealthSource {
	/** Checks of all parts, healthy or not; an empty list is not healthy. */
	health(): readonly HealthCheck[];
}

const retryAfterSeconds = 2;

export function healthRoute(source: HealthSource): Route {
	return {
		method: "GET",
		path: "/healthz",
		access: "open",
		description: {
			summary: "Whether this server can recognise speech now",
			answer: Type.Object({
				ready: Type.Boolean(),
				checks: Type.Array(checkSchema),
			}),
			errors: ["100004"],
		},
		handle: async () => answer(source.health()),
	};
}

function answer(checks: readonly HealthCheck[]) {
	const broken = checks.filter((check) => !check.ok);
	const ready = checks.length > 0 && broken.length === 0;
	if (ready) return success({ ready, checks });
	const reasons = broken.map(({ name, says }) => `${name}: ${says}`);
	const message = `not ready: ${reasons.join("; ") || "nothing is running"}`;
	const error = new CodedError("100004", message, { retryAfterSeconds });
	return failure(error, { ready, checks });
}
