/** `GET /healthz`: 200 only if every part reports that it works, else 503 with the reasons. The composition root supplies the parts. */
import { type Static, Type } from "@sinclair/typebox";
import { CodedError } from "../errors.js";
import { failure, success } from "./envelope.js";
import type { Route } from "./router.js";

/** What a check may say, for programs and for pages in other languages; a code never changes its meaning. */
export const healthCodes = [
	"engine-ready",
	"engine-starting",
	"engine-on-demand",
	"engine-not-started",
	"engine-dying",
	"engine-stopped",
	"database-writes",
	"database-stuck",
	"database-full",
	"backup-made",
	"backup-none",
	"backup-skipped",
	"clock-synchronised",
	"clock-plausible",
	"clock-before-build",
	"clock-jumped",
	"clock-behind",
] as const;

const unixTime = (description: string) =>
	Type.Optional(Type.Number({ description: `${description}, Unix time` }));

export const checkSchema = Type.Object({
	name: Type.String(),
	ok: Type.Boolean(),
	says: Type.String({ description: "one sentence for people" }),
	code: Type.Union(
		healthCodes.map((it) => Type.Literal(it)),
		{ description: "what `says` says, for programs" },
	),
	values: Type.Object(
		{
			reason: Type.Optional(Type.String()),
			details: Type.Optional(Type.Array(Type.String())),
			seconds: Type.Optional(Type.Integer({ description: "to the next try" })),
			minutes: Type.Optional(Type.Integer({ description: "still to pass" })),
			at: unixTime("of the clock, or of the backup"),
			certain: unixTime("that the clock is behind"),
		},
		{ description: "what differs from case to case" },
	),
});

export type HealthCode = (typeof healthCodes)[number];
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
			summary: "Whether this server can recognize speech now",
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
